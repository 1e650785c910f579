-- The newest deliveries of some endpoints, with those of each found by their own index. $2 the status,
-- null for any; $3 the most there may be. A delivery that waits in the queue says when its turn is.
-- @notnull id eventId eventType status attemptCount createdAt endpointId
-- @null $2
select d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.endpoint_id as "endpointId", q.due_at as "dueAt",
  p.inactive_since as "disabledAt"
from (
  select newest.*
  from unnest($1::uuid[]) as wanted (endpoint_id)
  cross join lateral (
    select *
    from cell.deliveries d
    where d.endpoint_id = wanted.endpoint_id and ($2::text is null or d.status = $2::text)
    order by d.id desc
    limit $3::integer
  ) newest
  order by newest.id desc
  limit $3::integer
) d
join cell.events e on e.id = d.event_id
left join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id
order by d.id desc
