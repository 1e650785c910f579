-- @notnull id reference status createdAt
select
  id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta, failure,
  refreshed_at as "refreshedAt", created_at as "createdAt", attention
from cell.shipments
join cell.polls on polls.shipment_id = shipments.id
where account_id = $1 and product = $4 and id < $2
order by id desc
limit $3
