-- @notnull count
with listed as (
  select product, dedup_key from cell.event_keys where account_id = $1::uuid limit $2::integer
),
removed as (
  delete from cell.event_keys k
  using listed
  where k.account_id = $1::uuid and k.product = listed.product and k.dedup_key = listed.dedup_key
)
select count(*)::integer as count from listed
