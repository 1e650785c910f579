-- Claims what is due, for each endpoint at most as many deliveries as the node has room for, and
-- returns all that sending them takes. A node that has been replaced gets nothing.
--
-- $1 the node · $2, $3 endpoints and the room for each · $4 the time
with present as (
  -- Until the commit: who takes the node over locks its row first, and finds all that it claimed.
  select id from cell.nodes where id = $1::integer for key share
),
due as (
  select w.delivery_id
  from present
  cross join unnest($2::uuid[], $3::integer[]) as wanted (endpoint_id, room)
  cross join lateral (
    select q.delivery_id
    from cell.queue q
    where q.endpoint_id = wanted.endpoint_id and q.node is null and q.due_at <= $4::timestamptz
    order by q.due_at
    limit wanted.room
    for update skip locked
  ) as w
),
claimed as (
  update cell.queue q
  set node = $1::integer
  from due
  where q.delivery_id = due.delivery_id
  returning q.delivery_id
)
select d.id, d.endpoint_id as "endpointId", d.attempt_count as "attemptCount", e.type,
  e.occurred_at as "occurredAt", e.data
from claimed c
join cell.deliveries d on d.id = c.delivery_id
join cell.events e on e.id = d.event_id
where d.status = 'pending'
