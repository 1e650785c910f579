-- Every active endpoint that has something due before $1. Jumps from endpoint to endpoint along the
-- index, so that a million deliveries of one endpoint cost as much as one.
-- @notnull endpointId
with recursive waiting as (
  (
    select q.endpoint_id, q.due_at
    from cell.queue q
    where q.node is null
    order by q.endpoint_id, q.due_at
    limit 1
  )
  union all
  select n.endpoint_id, n.due_at
  from waiting w
  cross join lateral (
    select q.endpoint_id, q.due_at
    from cell.queue q
    where q.node is null and q.endpoint_id > w.endpoint_id
    order by q.endpoint_id, q.due_at
    limit 1
  ) as n
)
select w.endpoint_id as "endpointId", w.due_at as "dueAt"
from waiting w
join cell.endpoints p on p.id = w.endpoint_id
where p.active and w.due_at <= $1::timestamptz
