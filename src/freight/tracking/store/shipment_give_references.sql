-- Says more of a tracked shipment's other references, beside what was said, and makes it due if its last poll lacked one.
--
-- $1 account · $2 product · $3 its reference · $4 what is said, JSON · $5 at once
with given as (
  update cell.shipments as shipment
  set given_references = (coalesce(shipment.given_references, '{}')::jsonb || $4::text::jsonb)::text
  where shipment.account_id = $1 and shipment.product = $2 and shipment.reference = $3
    and not coalesce(shipment.given_references, '{}')::jsonb @> $4::text::jsonb
    and exists (select from cell.accounts a where a.id = $1 and not a.closed)
  returning shipment.id
)
update cell.polls as poll
-- Two moments in turn, so that a running poll sees that another was requested.
set next_poll_at = case when poll.next_poll_at = $5 then $5 + interval '1 millisecond' else $5 end
from given
where poll.shipment_id = given.id and poll.failure like 'needs\_%'
returning poll.shipment_id as id
