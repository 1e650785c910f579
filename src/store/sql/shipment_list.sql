select id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at
from cell.shipments
where account_id = $1 and ($2::uuid is null or id < $2)
order by id desc
limit $3
