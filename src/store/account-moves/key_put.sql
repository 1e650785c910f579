insert into cell.event_keys (account_id, product, dedup_key, event_id, created_at)
select account_id, product, dedup_key, event_id, created_at
from json_to_recordset($1::text::json)
  as moved (account_id uuid, product text, dedup_key text, event_id uuid, created_at timestamptz)
on conflict do nothing
