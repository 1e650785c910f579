-- A writer of polls writes to polls first and to shipments then: in the other order the two would
-- wait for each other.
with poll as materialized (
  select shipment_id from cell.polls where shipment_id = $3 for update
)
delete from cell.shipments
using poll
where account_id = $1 and product = $2 and id = poll.shipment_id
  and exists (select from cell.accounts a where a.id = $1 and not a.closed)
returning id
