-- @notnull there
select to_regnamespace($1::text) is not null as there
