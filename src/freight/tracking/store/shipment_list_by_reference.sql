-- At most one row: an account tracks a reference once.
-- @notnull id reference status createdAt
-- @null $6 $7
select
  id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta, failure,
  refreshed_at as "refreshedAt", created_at as "createdAt", attention
from cell.shipments
join cell.polls on polls.shipment_id = shipments.id
where account_id = $1
  and product = $4
  and id < $2
  and reference = $5
  and ($6::text is null or coalesce(carrier, carrier_hint, '') = $6)
  and ($7::text[] is null or status = any ($7))
limit $3
