-- The deliveries of an event, for the operator, as `delivery_find.sql`. They have no index by event: they were written soon
-- after it. Each endpoint of its account has one at most, found by the index; those whose endpoint is gone are among the
-- first of all that were written then.
--
-- $1 the event · $2 its account · $3 its product · $4 from this id on · $5 before this id · $6 the most to read of each
-- @notnull id eventId eventType status attemptCount createdAt endpointId
with near as (
  select found.id
  from cell.endpoints p
  cross join lateral (
    select written.id
    from (
      select d.id, d.event_id
      from cell.deliveries d
      where d.endpoint_id = p.id and d.id >= $4::uuid and d.id < $5::uuid
      order by d.id
      limit $6::integer
    ) written
    where written.event_id = $1::uuid
    limit 1
  ) found
  where p.account_id = $2::uuid and p.product = $3::text
  union
  select written.id
  from (
    select d.id, d.event_id
    from cell.deliveries d
    where d.id >= $4::uuid and d.id < $5::uuid
    order by d.id
    limit $6::integer
  ) written
  where written.event_id = $1::uuid
)
select d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.endpoint_id as "endpointId", q.due_at as "dueAt",
  p.inactive_since as "disabledAt", p.url
from near
join cell.deliveries d on d.id = near.id
join cell.events e on e.id = d.event_id
left join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id
order by d.id
