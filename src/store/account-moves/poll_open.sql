-- @notnull count
with listed as (
  select p.shipment_id
  from cell.shipments s
  join cell.polls p on p.shipment_id = s.id
  where s.account_id = $1::uuid and p.leased_until = 'infinity'
  order by p.shipment_id
  limit $2::integer
  for update of p
),
opened as (
  update cell.polls p set leased_until = null from listed where p.shipment_id = listed.shipment_id
)
select count(*)::integer as count from listed
