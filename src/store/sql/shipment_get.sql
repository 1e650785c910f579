select id, reference, identifier_type, carrier_hint, carrier, status, eta, record, failure, refreshed_at, created_at
from cell.shipments
where account_id = $1 and id = $2
