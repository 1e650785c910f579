update cell.polls as poll
-- Two moments in turn, so that a look under way for the one before sees that it was asked for again.
set next_poll_at = case when poll.next_poll_at = $3 then $3 + interval '1 millisecond' else $3 end
from cell.shipments as shipment
where shipment.account_id = $1 and shipment.id = $2 and poll.shipment_id = shipment.id
returning shipment.id
