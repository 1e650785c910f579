update cell.polls as poll
-- Two moments in turn, so that a running poll sees that another was requested.
set next_poll_at = case when poll.next_poll_at = $4 then $4 + interval '1 millisecond' else $4 end
from cell.shipments as shipment
where shipment.account_id = $1 and shipment.product = $2 and shipment.id = $3 and poll.shipment_id = shipment.id
  and exists (select from cell.accounts a where a.id = $1 and not a.closed)
returning shipment.id
