-- Makes shipments due for re-evaluation after a message about them, or about their transport documents, without a
-- poll of their carrier. Locks rows in the order in which polls are written.
--
-- $1 product · $2 references · $3 the time · $4 whether shipments without an answer are, too
with named as (
  select id from cell.shipments
  where reference = any ($2::text[]) and (record is not null or $4::boolean) and product = $1
  union all
  select id from cell.shipments
  where transport_documents && $2::text[] and (record is not null or $4::boolean) and product = $1
),
answered as (
  select id
  from cell.shipments
  where id in (select id from named)
  order by id
  for update
)
update cell.shipments as shipment
-- Another moment each time, so that a running re-evaluation sees that another is due; one that is far away comes now.
set changes_at = case
  when shipment.changes_at >= $3 and shipment.changes_at < $3 + interval '1 second'
    then shipment.changes_at + interval '1 millisecond'
  else $3
end
from answered
where shipment.id = answered.id
returning shipment.id
