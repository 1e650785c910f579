-- @notnull row
select id, to_json(p)::text as row from cell.endpoints p where p.account_id = $1::uuid order by id
