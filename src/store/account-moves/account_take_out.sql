-- @notnull row
select to_json(a)::text as row from cell.accounts a where a.id = $1::uuid
