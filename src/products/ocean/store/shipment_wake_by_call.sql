-- Makes the shipments that wait for any of these sailings due for re-evaluation. Locks rows in the order in which
-- polls are written.
--
-- $1 what the sailings are found by · $2 the time
with waiting as (
  select id
  from cell.shipments
  where awaited_sailings && $1::text[]
    and (changes_at is null or changes_at > $2)
  order by id
  for update
)
update cell.shipments as shipment
set changes_at = $2
from waiting
where shipment.id = waiting.id
