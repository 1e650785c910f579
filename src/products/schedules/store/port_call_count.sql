-- @notnull count
select count(*)::integer as count from cell.port_calls
