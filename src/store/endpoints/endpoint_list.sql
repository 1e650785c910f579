-- Newest first, from behind $3 on; null: from the newest on.
-- @null $3
-- @notnull missedEvents
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"
from cell.endpoints
where account_id = $1::uuid and product = $2::text and ($3::uuid is null or id < $3::uuid)
order by id desc
limit $4::integer
