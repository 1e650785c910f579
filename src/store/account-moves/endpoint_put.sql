insert into cell.endpoints
  (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count,
   last_delivery_at, inactive_since, created_at, disabled_reason, failing_since, missed_events)
select
  id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count,
  last_delivery_at, inactive_since, created_at, disabled_reason, failing_since, coalesce(missed_events, 0)
from json_to_recordset($1::text::json)
  as moved (
    id uuid, account_id uuid, product text, url text, event_types text[], description text,
    sealed_secret_hash bytea, active boolean, failure_count integer, last_delivery_at timestamptz,
    inactive_since timestamptz, created_at timestamptz, disabled_reason text, failing_since timestamptz,
    missed_events bigint
  )
on conflict do nothing
