-- Calls of some carriers at some ports within a time: between the first and the last leg of a journey.
--
-- $1 the carriers · $2 the ports · $3 and $4 from, and before · $5 how many
-- @notnull isLeaving
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", arrival_at as "arrivalAt", departure_at as "departureAt",
  coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where carrier = any ($1::text[]) and port = any ($2::text[])
  and (departure_at >= $3 and departure_at < $4 or departure_at is null and arrival_at >= $3 and arrival_at < $4)
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
order by calls_at, id
limit $5
