-- @notnull version
select s.id, concat_ws(' ', p.lease, coalesce(extract(epoch from p.next_poll_at), -1),
  coalesce(extract(epoch from s.changes_at), -1)) as version
from cell.shipments s
join cell.polls p on p.shipment_id = s.id
where s.id = any ($1::uuid[])
