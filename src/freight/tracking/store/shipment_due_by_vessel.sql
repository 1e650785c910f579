-- Makes a carrier's shipments that are aboard one of these vessels, and whose transport documents it has never named,
-- due before all others: a callback about the vessel's call may concern them.
--
-- $1 IMO numbers · $2 the carrier · $3 the moment that sorts before all that is merely due · $4 the product
-- · $5 how many at most
with aboard as (
  select id
  from cell.shipments
  where vessels && $1::text[] and transport_documents is null and carrier = $2 and product = $4
  order by id
  limit $5
),
-- Rows are locked in one order by all who write several.
locked as (
  select shipment_id
  from cell.polls
  where shipment_id in (select id from aboard)
  order by shipment_id
  for update
)
update cell.polls as poll
-- Two moments in turn, so that a running poll sees that another was requested.
set next_poll_at = case when poll.next_poll_at = $3 then $3 + interval '1 millisecond' else $3 end
from locked
where poll.shipment_id = locked.shipment_id
returning poll.shipment_id
