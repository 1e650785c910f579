select
  id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at, failure, refreshed_at
from cell.shipments
join cell.polls on shipment_id = id
where account_id = $1 and id < $2
order by id desc
limit $3
