-- The calls to come that a complete fetch had to include, and the calls after them, without the calls known to be
-- gone. One that arrived before the fetch's time may have been left out of it.
--
-- $1 the carrier · $2 the service or null · $3 the port or null · $4 from · $5 the time · $6 behind this id, null: from
-- the first · $7 how many · $8 the vessel's IMO number or null
-- @null $2 $3 $6 $8
select id, service, voyage, calls_at as "callsAt", arrival_at as "arrivalAt"
from cell.port_calls
where carrier = $1 and calls_at > $5 and calls_at >= $4
  and (arrival_at is null or arrival_at >= $4)
  and ($2::text is null or service = $2)
  and ($3::text is null or port = $3)
  and ($8::text is null or vessel_imo = $8)
  and gone_at is null
  and id > coalesce($6::uuid, '00000000-0000-0000-0000-000000000000')
order by id
limit $7
