-- Makes the live shipments of carriers whose tariffs have changed due for re-evaluation. Locks rows in the order in
-- which polls are written.
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
