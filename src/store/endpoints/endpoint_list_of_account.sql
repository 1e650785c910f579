-- All products' endpoints of one account, newest first.
-- @notnull missedEvents
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"
from cell.endpoints
where account_id = $1::uuid
order by id desc
