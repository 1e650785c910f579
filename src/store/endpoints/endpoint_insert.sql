-- Nothing is returned when the account has $9 endpoints on the product already.
-- @notnull missedEvents
insert into cell.endpoints
  (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count, created_at)
select $1::uuid, $2::uuid, $3::text, $4::text, $5::text[], $6::text, $7::bytea, true, 0, $8::timestamptz
where (
  select count(*) from cell.endpoints p where p.account_id = $2::uuid and p.product = $3::text
) < $9::integer
returning id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"
