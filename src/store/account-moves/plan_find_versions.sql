-- @notnull version
select id, revision::text as version from cell.load_plans where id = any ($1::uuid[])
