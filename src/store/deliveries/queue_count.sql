-- What stands in the queue, by product and by what it waits for.
--
-- $1 the time · $2 the most rows to count
-- @notnull claimed due waiting parked
with counted as (
  select q.endpoint_id,
    count(*) filter (where q.node is not null) as claimed,
    count(*) filter (where q.node is null and q.due_at <= $1::timestamptz) as due,
    count(*) filter (where q.node is null and q.due_at > $1::timestamptz) as waiting,
    min(q.due_at) filter (where q.node is null and q.due_at <= $1::timestamptz) as oldest_due
  from (select endpoint_id, due_at, node from cell.queue limit $2::integer) q
  group by q.endpoint_id
)
select p.product,
  sum(c.claimed)::float8 as claimed,
  sum(case when p.active then c.due else 0 end)::float8 as due,
  sum(case when p.active then c.waiting else 0 end)::float8 as waiting,
  sum(case when p.active then 0 else c.due + c.waiting end)::float8 as parked,
  min(c.oldest_due) filter (where p.active) as "oldestDue"
from counted c
join cell.endpoints p on p.id = c.endpoint_id
group by p.product
