-- At most one row: an account tracks a reference once.
select
  id, reference, identifier_type, carrier_hint, carrier, status, eta, failure, refreshed_at, created_at
from cell.tracked
where account_id = $1
  and id < $2
  and reference = $4
  and ($5::text is null or coalesce(carrier, carrier_hint, '') = $5)
  and ($6::text[] is null or status = any ($6))
limit $3
