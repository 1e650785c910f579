-- Calls at a port from which vessels leave, in the order of departures: where journeys begin.
--
-- $1 the port · $2 and $3 from, and before · $4 carrier, null: any · $5 behind this time, null: from the first, and
-- $6 this call · $7 how many
-- @notnull isLeaving
-- @null $4 $5 $6
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", (extract(epoch from arrival_at) * 1000)::float8 as "arrivalMs",
  (extract(epoch from departure_at) * 1000)::float8 as "departureMs", coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where port = $1 and departure_at >= $2 and departure_at < $3
  and ($4::text is null or carrier = $4)
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT', 'NDEP')
  and ($5::timestamptz is null or (departure_at, id) > ($5, $6::uuid))
order by departure_at, id
limit $7
