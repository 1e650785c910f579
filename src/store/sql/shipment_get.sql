select
  id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at, record,
  failure, refreshed_at, next_poll_at
from cell.shipments
join cell.polls on shipment_id = id
where account_id = $1 and id = $2
