-- The newest deliveries of one endpoint, each with the endpoint's health at that moment: settling changes both at once.
-- @notnull missedEvents active failureCount
select d.id, e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", o.active, o.failure_count as "failureCount",
  o.last_delivery_at as "lastDeliveryAt", o.inactive_since as "disabledAt", o.disabled_reason as "disabledReason",
  o.missed_events::float8 as "missedEvents"
from (
  select * from cell.deliveries where endpoint_id = $1::uuid order by id desc limit $2::integer
) d
join cell.events e on e.id = d.event_id
join cell.endpoints o on o.id = $1::uuid
order by d.id desc
