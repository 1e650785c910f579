-- One endpoint by its id alone, for the operator.
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt"
from cell.endpoints
where id = $1::uuid
