-- @notnull count
select count(*)::integer as count from directory.tariffs
