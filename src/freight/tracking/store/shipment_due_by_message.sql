-- Makes shipments due for re-evaluation after a message about them, without a poll of their carrier. Locks rows in
-- the order in which polls are written.
--
-- $1 product · $2 references · $3 the time
with answered as (
  select id
  from cell.shipments
  where reference = any ($2::text[]) and record is not null and product = $1
  order by id
  for update
)
update cell.shipments as shipment
-- Another moment each time, so that a running re-evaluation sees that another is due.
set changes_at = case
  when shipment.changes_at >= $3 then shipment.changes_at + interval '1 millisecond'
  else $3
end
from answered
where shipment.id = answered.id
returning shipment.id
