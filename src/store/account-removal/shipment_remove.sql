-- Some shipments of an account, and their polls. $1 the account · $2 the most. Locks rows in the order in which polls are
-- written.
-- @notnull count
with doomed as materialized (
  select s.id
  from cell.shipments s
  join cell.polls p on p.shipment_id = s.id
  where s.account_id = $1::uuid
  order by s.id
  limit $2::integer
  for update of p, s
),
removed as (
  delete from cell.shipments s using doomed where s.id = doomed.id
)
select count(*)::integer as count from doomed
