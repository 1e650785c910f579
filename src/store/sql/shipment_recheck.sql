update cell.polls as poll
set next_poll_at = $3
from cell.shipments as shipment
where shipment.account_id = $1 and shipment.id = $2 and poll.shipment_id = shipment.id
returning shipment.id
