-- The endpoint is gone at once, and its history with it, since nobody can ask for it any more; the rows
-- are removed later (engine/prune/prune.ts).
with gone as (
  delete from cell.endpoints
  where id = $1::uuid and account_id = $2::uuid and product = $3::text
    and exists (select from cell.accounts a where a.id = $2::uuid and not a.closed)
  returning id
),
noted as (
  insert into cell.deleted_endpoints (endpoint_id, deleted_at)
  select id, $4::timestamptz from gone
),
rerouted as (
  update cell.accounts a
  set routing_version = a.routing_version + 1
  where a.id = $2::uuid and exists (select from gone)
)
select id from gone
