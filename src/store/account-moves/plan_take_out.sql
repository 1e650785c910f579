-- @notnull row
select to_json(p)::text as row from cell.load_plans p where id = any ($1::uuid[])
