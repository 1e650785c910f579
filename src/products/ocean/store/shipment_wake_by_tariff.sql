-- Has the live shipments of carriers looked at whose tariffs have changed. Rows are locked in the order in
-- which looks are saved.
with live as (
  select id
  from cell.shipments
  where carrier = any ($1::text[])
    and status not in ('pending', 'delivered', 'returned_empty', 'cancelled')
    and (changes_at is null or changes_at > $2)
  order by id
  for update
)
update cell.shipments as shipment
set changes_at = $2
from live
where shipment.id = live.id
