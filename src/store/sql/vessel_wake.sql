-- Has the shipments looked at that are aboard of these vessels. Rows are locked in the order in which looks
-- are saved.
with aboard as (
  select id
  from cell.shipments
  where vessels && $1::text[]
    and status <> 'pending'
    and (changes_at is null or changes_at > $2)
  order by id
  for update
)
update cell.shipments as shipment
set changes_at = $2
from aboard
where shipment.id = aboard.id
