-- One delivery of an endpoint, with what is sent.
-- @notnull id eventId eventType status attemptCount createdAt occurredAt data sealedSecretHash
select d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", q.due_at as "dueAt", e.occurred_at as "occurredAt", e.data,
  p.sealed_secret_hash as "sealedSecretHash"
from cell.deliveries d
join cell.events e on e.id = d.event_id
join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id
where d.id = $2::uuid and d.endpoint_id = $1::uuid
