-- Those of these keys by which the cell tracks a shipment.
--
-- $1 products · $2 references, each of the product beside it
-- @notnull product reference
select product, reference
from unnest($1::text[], $2::text[]) as given (product, reference)
where exists (
    select from cell.shipments as one
    where one.reference = given.reference and one.product = given.product and one.record is not null
  )
  or exists (
    select from cell.shipments as one
    where one.reference = given.reference and one.product = given.product and one.record is null
  )
  or exists (
    select from cell.shipments as one
    where one.transport_documents && array[given.reference] and one.product = given.product
  )
  or (
    given.reference like 'IMO%'
    and exists (
      select from cell.shipments as one
      where one.vessels && array[substr(given.reference, 4)] and one.product = given.product
    )
  )
