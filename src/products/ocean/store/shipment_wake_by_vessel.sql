-- Has the shipments looked at that are aboard of these vessels and stand otherwise than those lie. Rows are
-- locked in the order in which looks are saved.
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
