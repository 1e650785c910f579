-- Nobody claims these polls any more; a result of one that is claimed matches no row.
-- @notnull count
with listed as (
  select p.shipment_id
  from cell.shipments s
  join cell.polls p on p.shipment_id = s.id
  where s.account_id = $1::uuid and p.leased_until is distinct from 'infinity'
  order by p.shipment_id
  limit $2::integer
  for update of p
),
closed as (
  update cell.polls p
  set lease = p.lease + case when p.leased_until is null then 0 else 1 end, leased_until = 'infinity'
  from listed
  where p.shipment_id = listed.shipment_id
)
select count(*)::integer as count from listed
