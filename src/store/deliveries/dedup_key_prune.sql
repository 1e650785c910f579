-- Deletes deduplication keys that are older than the history.
-- @notnull count
with old as (
  select account_id, product, dedup_key
  from cell.event_keys
  where created_at < $1::timestamptz
  order by created_at
  limit $2::integer
),
forgotten as (
  delete from cell.event_keys k
  using old
  where k.account_id = old.account_id and k.product = old.product and k.dedup_key = old.dedup_key
)
select count(*)::integer as count from old
