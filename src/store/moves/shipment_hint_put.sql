-- $1 shipments · $2 polls that were asked for · $3 re-evaluations
with hinted as (
  select id, next_poll_at, changes_at
  from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as hint (id, next_poll_at, changes_at)
),
polled as (
  update cell.polls as poll
  set next_poll_at = least(poll.next_poll_at, hinted.next_poll_at)
  from hinted
  where poll.shipment_id = hinted.id and hinted.next_poll_at is not null
)
update cell.shipments as shipment
set changes_at = least(shipment.changes_at, hinted.changes_at)
from hinted
where shipment.id = hinted.id and hinted.changes_at is not null
