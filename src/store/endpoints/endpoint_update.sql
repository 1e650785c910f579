-- A parameter that is null leaves its column as it is. The account's routes move on with every change
-- that decides who receives what (engine/raise/raise.ts).
--
-- $1 the endpoint, $2 its account, $3 its product · $4 url · $5 event types · $6 description
-- $7 active · $8 the time
-- @null $4 $5 $6 $7
-- @notnull missedEvents
with changed as (
  update cell.endpoints p
  set url = coalesce($4::text, p.url),
      event_types = coalesce($5::text[], p.event_types),
      description = coalesce($6::text, p.description),
      active = coalesce($7::boolean, p.active),
      failure_count = case when $7::boolean then 0 else p.failure_count end,
      failing_since = case when $7::boolean then null else p.failing_since end,
      missed_events = case when coalesce($7::boolean, p.active) then 0 else p.missed_events end,
      disabled_reason = case
        when coalesce($7::boolean, p.active) then null
        when p.active then 'paused'
        else p.disabled_reason
      end,
      inactive_since = case
        when coalesce($7::boolean, p.active) then null
        else coalesce(p.inactive_since, $8::timestamptz)
      end
  where p.id = $1::uuid and p.account_id = $2::uuid and p.product = $3::text
    and exists (select from cell.accounts a where a.id = $2::uuid and not a.closed)
  returning p.*
),
rerouted as (
  update cell.accounts a
  set routing_version = a.routing_version + 1
  where a.id = $2::uuid
    and exists (select from changed)
    and ($4::text is not null or $5::text[] is not null or $7::boolean is not null)
)
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"
from changed
