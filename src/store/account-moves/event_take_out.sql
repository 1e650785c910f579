-- Some events of an account. $1 the account · $2 the most
-- @notnull event
select id, to_json(e)::text as event from cell.events e where account_id = $1::uuid limit $2::integer
