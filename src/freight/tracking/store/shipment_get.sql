select
  id, reference, identifier_type, carrier_hint, carrier, status, eta, failure, refreshed_at, created_at,
  record, next_poll_at
from cell.tracked
where account_id = $1 and product = $2 and id = $3
