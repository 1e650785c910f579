with hinted as (
  select id, next_poll_at, changes_at
  from json_to_recordset($1::text::json) as hint (id uuid, next_poll_at timestamptz, changes_at timestamptz)
),
polled as (
  update cell.polls as poll
  set next_poll_at = least(poll.next_poll_at, hinted.next_poll_at)
  from hinted
  where poll.shipment_id = hinted.id and hinted.next_poll_at < coalesce(poll.next_poll_at, 'infinity')
)
update cell.shipments as shipment
set changes_at = hinted.changes_at
from hinted
where shipment.id = hinted.id and hinted.changes_at < coalesce(shipment.changes_at, 'infinity')
