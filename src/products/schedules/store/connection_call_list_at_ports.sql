-- Calls at some ports within a time: between the first and the last leg of a journey.
--
-- $1 the carriers, null: any · $2 the ports · $3 and $4 departures from, and arrivals before · $5 how long a vessel may
-- stay, in seconds · $6 how many
-- @notnull isLeaving
-- @null $1
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", (extract(epoch from arrival_at) * 1000)::float8 as "arrivalMs",
  (extract(epoch from departure_at) * 1000)::float8 as "departureMs", coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where ($1::text[] is null or carrier = any ($1)) and port = any ($2::text[])
  and (
    departure_at >= $3 and departure_at < $4::timestamptz + make_interval(secs => $5)
    and (arrival_at is null or arrival_at < $4)
    or departure_at is null and arrival_at >= $3 and arrival_at < $4
  )
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
order by calls_at, id
limit $6
