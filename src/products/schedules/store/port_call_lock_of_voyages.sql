-- All calls of voyages. Rows are locked in one order by all who write several.
--
-- $1 carriers · $2 voyages; each pair once
select call.id, call.record, call.due_at as "dueAt"
from cell.port_calls as call
join unnest($1::text[], $2::text[]) as wanted (carrier, voyage)
  on call.carrier = wanted.carrier and call.voyage = wanted.voyage
order by call.id
for update of call
