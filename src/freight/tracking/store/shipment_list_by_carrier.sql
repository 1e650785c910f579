-- One step of an index for each status, so that a page costs as much as it shows, however rare it is.
-- @notnull id reference status createdAt
-- @null $6
select shipment.*
from unnest($6::text[]) as wanted (status)
cross join lateral (
  select
    id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta, failure,
    refreshed_at as "refreshedAt", created_at as "createdAt", attention
  from cell.shipments
  join cell.polls on polls.shipment_id = shipments.id
  where account_id = $1
    and product = $4
    and coalesce(carrier, carrier_hint, '') = $5
    and status = wanted.status
    and id < $2
  order by id desc
  limit $3
) as shipment
order by shipment.id desc
limit $3
