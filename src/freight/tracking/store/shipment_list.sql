select
  id, reference, identifier_type, carrier_hint, carrier, status, eta, failure, refreshed_at, created_at
from cell.tracked
where account_id = $1 and product = $4 and id < $2
order by id desc
limit $3
