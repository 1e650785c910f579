-- The ports that vessels leave from a time on, with their next departure; one step of the index for each port.
--
-- $1 from · $2 how many at most
-- @notnull port nextAt
with recursive known (port) as (
  (select port from cell.port_calls order by port limit 1)
  union all
  select (select behind.port from cell.port_calls as behind where behind.port > known.port order by behind.port limit 1)
  from known
  where known.port is not null
)
select known.port, next.departure_at as "nextAt"
from known
cross join lateral (
  select departure_at
  from cell.port_calls
  where port_calls.port = known.port and departure_at >= $1
  order by departure_at
  limit 1
) as next
where known.port is not null
limit $2
