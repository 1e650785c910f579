-- The newest deliveries of one endpoint.
select d.id, e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt"
from (
  select * from cell.deliveries where endpoint_id = $1::uuid order by id desc limit $2::integer
) d
join cell.events e on e.id = d.event_id
order by d.id desc
