-- Claims the deduplication keys of events, in the order of the keys so that two callers cannot block
-- each other, and returns the events whose key is new.
insert into cell.event_keys (account_id, product, dedup_key, event_id, created_at)
select k.account_id, k.product, k.dedup_key, k.event_id, $5::timestamptz
from unnest($1::uuid[], $2::text[], $3::text[], $4::uuid[]) as k (account_id, product, dedup_key, event_id)
order by k.account_id, k.product, k.dedup_key
on conflict do nothing
returning event_id
