-- How many broadcasts have not reached all their accounts, and the oldest of them.
--
-- $1 the most rows to count
-- @notnull count
select count(*)::float8 as count, (array_agg(id order by id))[1] as oldest
from (
  select id
  from cell.broadcasts
  order by id
  limit $1::integer
) as behind
