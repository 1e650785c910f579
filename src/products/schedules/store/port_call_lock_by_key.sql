-- All calls that statements may be about, by the number on which they leave or that on which they came. Rows are
-- locked in one order by all who write several.
--
-- $1 carriers · $2 voyages · $3 ports
select id, record, due_at as "dueAt"
from cell.port_calls
where id in (
  select leaving.id
  from unnest($1::text[], $2::text[], $3::text[]) as wanted (carrier, voyage, port)
  join cell.port_calls as leaving
    on leaving.carrier = wanted.carrier and leaving.voyage = wanted.voyage and leaving.port = wanted.port
  union
  select coming.id
  from unnest($1::text[], $2::text[], $3::text[]) as wanted (carrier, voyage, port)
  join cell.port_calls as coming
    on coming.carrier = wanted.carrier and coming.import_voyage = wanted.voyage and coming.port = wanted.port
    and coming.import_voyage <> ''
)
order by id
for update
