-- Calls that a complete fetch has left out, and whether the same vessel still is to call at the same port about
-- then: on a voyage that was given another number, or in a service that was given another name.
--
-- $1 ids · $2 how many seconds apart
-- @notnull isReplaced
select
  id, record, due_at as "dueAt",
  exists (
    select
    from cell.port_calls as other
    where other.vessel_imo = call.vessel_imo
      and other.calls_at between call.calls_at - make_interval(secs => $2)
        and call.calls_at + make_interval(secs => $2)
      and other.carrier = call.carrier and other.port = call.port
      and (other.voyage <> call.voyage or other.service <> call.service)
      and other.gone_at is null and coalesce(other.status, '') not in ('OMIT', 'BLNK', 'SLID')
      and not (other.id = any ($1::uuid[]))
  ) as "isReplaced"
from cell.port_calls as call
where id = any ($1::uuid[])
order by id
for update
