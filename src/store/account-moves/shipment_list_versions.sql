-- Shipments behind $2, and what tells whether one has changed: the claims of its polls, and what others write between
-- two claims.
-- @notnull version
select s.id, concat_ws(' ', p.lease, coalesce(extract(epoch from p.next_poll_at), -1),
  coalesce(extract(epoch from s.changes_at), -1)) as version
from cell.shipments s
join cell.polls p on p.shipment_id = s.id
where s.account_id = $1::uuid and s.id > $2::uuid
order by s.id
limit $3::integer
