-- One delivery by its id alone, for the operator: as `delivery_search.sql`, and whose it is. Its endpoint may be gone.
-- @notnull id eventId eventType status attemptCount createdAt endpointId accountId product
select d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.endpoint_id as "endpointId", q.due_at as "dueAt",
  p.inactive_since as "disabledAt", e.account_id as "accountId", e.product, p.url
from cell.deliveries d
join cell.events e on e.id = d.event_id
left join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id
where d.id = $1::uuid
