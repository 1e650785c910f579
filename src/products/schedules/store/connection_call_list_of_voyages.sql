-- All calls of some vessels, and of some voyages of services, within a time.
--
-- $1 the vessels' carriers, and $2 IMO numbers · $3 the voyages' carriers, $4 services and $5 numbers · $6 and $7 from,
-- and before · $8 how many
-- @notnull id carrier service voyage importVoyage port isLeaving
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", arrival_at as "arrivalAt", departure_at as "departureAt",
  coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where id in (
  select call.id
  from unnest($1::text[], $2::text[]) as vessel (carrier, imo)
  join cell.port_calls as call on call.vessel_imo = vessel.imo and call.carrier = vessel.carrier
  union
  select call.id
  from unnest($3::text[], $4::text[], $5::text[]) as sought (carrier, service, voyage)
  join cell.port_calls as call
    on call.carrier = sought.carrier and call.service = sought.service and call.voyage = sought.voyage
  union
  select call.id
  from unnest($3::text[], $4::text[], $5::text[]) as sought (carrier, service, voyage)
  join cell.port_calls as call
    on call.carrier = sought.carrier and call.service = sought.service and call.import_voyage = sought.voyage
    and call.import_voyage <> ''
)
and calls_at >= $6 and calls_at < $7
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
order by calls_at, id
limit $8
