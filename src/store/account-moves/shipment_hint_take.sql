-- What was asked of shipments while they were closed: a poll before all that is merely due, a re-evaluation.
-- @notnull row
select json_build_object(
  'id', s.id,
  'next_poll_at', case when p.next_poll_at < timestamptz 'epoch' + interval '1 second' then p.next_poll_at end,
  'changes_at', s.changes_at
)::text as row
from cell.shipments s
join cell.polls p on p.shipment_id = s.id
where s.id = any ($1::uuid[])
