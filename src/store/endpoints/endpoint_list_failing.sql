-- Endpoints that fail, or that failures have disabled; those first. A late success resets the count of one that is
-- disabled. Reads all of the cell's, which have no index on what changes with every attempt.
--
-- $1 the most there may be
-- @notnull missedEvents
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"
from cell.endpoints
where case when active then failure_count > 0 else coalesce(disabled_reason = 'failures', failure_count > 0) end
order by active, failure_count desc, id desc
limit $1::integer
