-- Calls at ports from which boxes are to sail, by what is known of each sailing: those of its vessel by number or
-- name, or of its voyage.
--
-- $1 carriers · $2 ports · $3 and $4 departures from, and to · $5 IMO numbers or null · $6 names, letters and digits in
-- upper case, or null · $7 voyages or null · $8 how many calls of each sailing
-- @notnull nth
select (wanted.nth - 1)::integer as nth, call.record
from unnest(
  $1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::text[], $7::text[]
) with ordinality as wanted (carrier, port, from_at, to_at, imo, name, voyage, nth)
cross join lateral (
  select record
  from cell.port_calls
  where port = wanted.port and carrier = wanted.carrier
    and departure_at >= wanted.from_at and departure_at <= wanted.to_at
    and (
      vessel_imo = wanted.imo
      or upper(regexp_replace(vessel_name, '[^[:alnum:]]', '', 'g')) = wanted.name
      or voyage = wanted.voyage
    )
  order by departure_at
  limit $8
) as call
