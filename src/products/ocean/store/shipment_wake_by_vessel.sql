-- Makes the shipments aboard these vessels due for re-evaluation if their status does not fit the vessel's. Locks rows
-- in the order in which polls are written.
--
-- $1 IMO numbers · $2 statuses that a shipment aboard of one vessel has before · $3 the time
with aboard as (
  select id
  from cell.shipments
  where vessels && $1::text[]
    -- The status of several boxes is that of one of them.
    and (status = any ($2::text[]) or cardinality(vessels) > 1)
    and (changes_at is null or changes_at > $3)
  order by id
  for update
)
update cell.shipments as shipment
set changes_at = $3
from aboard
where shipment.id = aboard.id
