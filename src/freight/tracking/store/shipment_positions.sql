-- Where an account's shipments are: the positions with the most of them, and the newest of each.
--
-- $1 the account · $2 the product · $3 shipments that are counted · $4 positions · $5 shipments that are named of each
-- @notnull position count id reference status
with counted as (
  select position, count(*)::integer as count
  from (
    select position
    from cell.shipments
    where account_id = $1 and product = $2 and position is not null
    order by position
    limit $3
  ) as placed
  group by position
  order by count desc, position
  limit $4
)
select counted.position, counted.count, named.id, named.reference, named.status
from counted
cross join lateral (
  select id, reference, status
  from cell.shipments
  where account_id = $1 and product = $2 and position = counted.position
  order by id desc
  limit $5
) as named
order by counted.count desc, counted.position, named.id desc
