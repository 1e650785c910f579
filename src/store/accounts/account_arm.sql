-- Arms demurrage alerting where it is not armed yet, and has the account's shipments looked at: boxes whose
-- last days of free time have begun are told of now. Rows are locked in the order in which looks are saved.
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
