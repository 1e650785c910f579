-- All products' endpoints of one account, newest first.
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt"
from cell.endpoints
where account_id = $1::uuid
order by id desc
