-- Arms demurrage alerting unless it is armed, and makes the account's shipments due for re-evaluation: boxes in
-- their last days of free time raise events now. Locks rows in the order in which polls are written.
with armed as (
  update cell.accounts
  set demurrage_armed_at = $2
  where id = $1 and demurrage_armed_at is null
  returning id
),
live as (
  select shipment.id
  from armed
  join cell.shipments as shipment on shipment.account_id = armed.id
  where shipment.status not in ('pending', 'delivered', 'returned_empty', 'cancelled')
    and (shipment.changes_at is null or shipment.changes_at > $2)
  order by shipment.id
  for update of shipment
)
update cell.shipments as shipment
set changes_at = $2
from live
where shipment.id = live.id
