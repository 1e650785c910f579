-- Makes the shipments of these references due before all others that no carrier has answered for yet.
--
-- $1 product · $2 references · $3 the moment that sorts before all that is merely due
with unanswered as (
  select shipment_id
  from cell.polls
  where shipment_id in (
    select id from cell.shipments
    where reference = any ($2::text[]) and record is null and product = $1
  )
  -- Rows are locked in one order by all who write several.
  order by shipment_id
  for update
)
update cell.polls as poll
-- Two moments in turn, so that a running poll sees that another was requested.
set next_poll_at = case when poll.next_poll_at = $3 then $3 + interval '1 millisecond' else $3 end
from unanswered
where poll.shipment_id = unanswered.shipment_id
returning poll.shipment_id
