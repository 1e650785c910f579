-- Broadcasts of another cell, for the accounts behind $2: those of this cell's that have had them are known by their
-- keys.
insert into cell.broadcasts (id, product, type, data, occurred_at, dedup_key, last_account_id)
select id, product, type, data, occurred_at, dedup_key, $2::uuid
from json_to_recordset($1::text::json)
  as moved (id uuid, product text, type text, data text, occurred_at timestamptz, dedup_key text)
order by product, dedup_key
on conflict (product, dedup_key) do update
set last_account_id = least(broadcasts.last_account_id, excluded.last_account_id)
where broadcasts.last_account_id > excluded.last_account_id
