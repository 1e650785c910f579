-- Makes a carrier's shipments due before all others, even those whose polling has ended, if one of these references
-- is theirs or their transport document's. A shipment of an unknown carrier may be this carrier's.
--
-- $1 references · $2 the carrier · $3 the moment that sorts before all that is merely due · $4 the product
with named as (
  select id from cell.shipments
  where reference = any ($1::text[]) and record is not null and carrier = $2 and product = $4
  union all
  select id from cell.shipments
  where reference = any ($1::text[]) and record is null and coalesce(carrier, carrier_hint, $2) = $2 and product = $4
  union all
  select id from cell.shipments
  where transport_documents && $1::text[] and carrier = $2 and product = $4
),
-- Rows are locked in one order by all who write several.
locked as (
  select shipment_id
  from cell.polls
  where shipment_id in (select id from named)
  order by shipment_id
  for update
)
update cell.polls as poll
-- Two moments in turn, so that a running poll sees that another was requested.
set next_poll_at = case when poll.next_poll_at = $3 then $3 + interval '1 millisecond' else $3 end
from locked
where poll.shipment_id = locked.shipment_id
returning poll.shipment_id
