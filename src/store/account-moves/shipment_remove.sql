-- Unless they have changed since they were listed.
--
-- $1 shipments · $2 their versions
with poll as materialized (
  select p.shipment_id
  from unnest($1::uuid[], $2::text[]) as listed (id, version)
  join cell.polls p on p.shipment_id = listed.id
  join cell.shipments s on s.id = listed.id
  where listed.version = concat_ws(' ', p.lease, coalesce(extract(epoch from p.next_poll_at), -1),
    coalesce(extract(epoch from s.changes_at), -1))
  order by p.shipment_id
  for update of p, s
)
delete from cell.shipments s using poll where s.id = poll.shipment_id
