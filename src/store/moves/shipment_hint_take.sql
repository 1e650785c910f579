-- What was asked of shipments while they were closed: a poll before all that is merely due, a re-evaluation.
select s.id, case when p.next_poll_at < timestamptz 'epoch' + interval '1 second' then p.next_poll_at end
    as "nextPollAt", s.changes_at as "changesAt"
from cell.shipments s
join cell.polls p on p.shipment_id = s.id
where s.id = any ($1::uuid[])
