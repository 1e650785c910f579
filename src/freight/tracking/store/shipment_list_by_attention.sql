-- Reads along an index of the shipments that need attention.
-- @notnull id reference status createdAt
-- @null $5 $6 $7
select
  id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta, failure,
  refreshed_at as "refreshedAt", created_at as "createdAt", attention
from cell.shipments
join cell.polls on polls.shipment_id = shipments.id
where account_id = $1
  and product = $4
  and attention is not null
  and id < $2
  and ($5::text is null or reference = $5)
  and ($6::text is null or coalesce(carrier, carrier_hint, '') = $6)
  and ($7::text[] is null or status = any ($7))
order by id desc
limit $3
