-- What shipments are indexed by, from the one after $1 on.
select
  id, product, reference,
  array_to_string(transport_documents, ',') as documents, array_to_string(vessels, ',') as vessels
from cell.shipments
where id > $1
order by id
limit $2
