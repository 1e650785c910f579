-- $1 to $6 the shipment, $7 its product · $8 the source that is polled first, $9 when · $10 its other references, JSON
-- @notnull created id reference status createdAt
-- @null $4 $5 $10
with made as (
  insert into cell.shipments (
    id, account_id, product, reference, identifier_type, carrier_hint, created_at, given_references
  )
  select $1, id, $7, $3, $4, $5, $6, $10 from cell.accounts where id = $2 and not closed
  on conflict (account_id, product, reference) do nothing
  returning id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at, attention
),
polled as (
  insert into cell.polls (shipment_id, source, next_poll_at)
  select id, $8, $9 from made
)
select
  true as created,
  id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta,
  null as failure, null::timestamptz as "refreshedAt", created_at as "createdAt", attention
from made
union all
select
  false,
  id, reference, identifier_type, carrier_hint, carrier, status, eta, failure, refreshed_at, created_at, attention
from cell.shipments
join cell.polls on polls.shipment_id = shipments.id
where account_id = $2 and product = $7 and reference = $3 and not exists (select from made)
