-- Broadcasts in the order of their ids, behind $1.
-- @notnull row
select id, to_json(b)::text as row
from cell.broadcasts b
where id > $1::uuid
order by id
limit $2::integer
