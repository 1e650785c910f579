-- Arms demurrage alerting unless it is armed, and makes the account's shipments due for re-evaluation: boxes in
-- their last days of free time raise events now. Locks rows in the order in which polls are written. Does nothing to an
-- account that is closed or gone.
--
-- $1 the account · $2 the time · $3 the message: one that the account has passed changes nothing
with behind as (
  select id, closed, last_arming < $3 as is_new, demurrage_armed_at is null as is_disarmed
  from cell.accounts
  where id = $1
  for update
),
armed as (
  update cell.accounts as account
  set last_arming = $3, demurrage_armed_at = coalesce(demurrage_armed_at, $2)
  from behind
  where account.id = behind.id and behind.is_new and not behind.closed
),
live as (
  select shipment.id
  from behind
  join cell.shipments as shipment on shipment.account_id = behind.id
  where behind.is_new and behind.is_disarmed and not behind.closed
    and shipment.status not in ('pending', 'delivered', 'returned_empty', 'cancelled')
    and (shipment.changes_at is null or shipment.changes_at > $2)
  order by shipment.id
  for update of shipment
)
update cell.shipments as shipment
set changes_at = $2
from live
where shipment.id = live.id
