-- Calls of some carriers at a port at which vessels arrive, in the order of arrivals: where journeys end.
--
-- $1 the port · $2 and $3 after, and before · $4 the carriers · $5 how many
-- @notnull isLeaving
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", arrival_at as "arrivalAt", departure_at as "departureAt",
  coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where port = $1 and arrival_at > $2 and arrival_at < $3 and carrier = any ($4::text[])
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
order by arrival_at, id
limit $5
