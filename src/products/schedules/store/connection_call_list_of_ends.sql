-- All calls, within a time, of the vessels and voyages that come to a port, and of further ones: where journeys begin
-- and end.
--
-- $1 the port · $2 the carriers, null: any · $3 the further vessels' carriers, and $4 IMO numbers · $5 the further
-- voyages' carriers, $6 services and $7 numbers · $8 and $9 from, and before · $10 how many
-- @notnull id carrier service voyage importVoyage port isLeaving
-- @null $2
with arriving as materialized (
  select carrier, service, voyage, import_voyage, vessel_imo
  from cell.port_calls
  where port = $1 and arrival_at > $8 and arrival_at < $9 and ($2::text[] is null or carrier = any ($2))
    and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
  order by arrival_at
  limit $10
),
vessel as (
  select carrier, vessel_imo from arriving where vessel_imo is not null
  union
  select carrier, imo from unnest($3::text[], $4::text[]) as further (carrier, imo)
),
sought as (
  select carrier, service, voyage from arriving where voyage <> ''
  union
  select carrier, service, import_voyage from arriving where import_voyage <> ''
  union
  select carrier, service, voyage from unnest($5::text[], $6::text[], $7::text[]) as further (carrier, service, voyage)
),
found as (
  select call.id
  from vessel
  join cell.port_calls as call on call.vessel_imo = vessel.vessel_imo and call.carrier = vessel.carrier
  union
  select call.id
  from sought
  join cell.port_calls as call
    on call.carrier = sought.carrier and call.voyage = sought.voyage and call.service = sought.service
  union
  select call.id
  from sought
  join cell.port_calls as call
    on call.carrier = sought.carrier and call.import_voyage = sought.voyage and call.import_voyage <> ''
    and call.service = sought.service
)
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", arrival_at as "arrivalAt", departure_at as "departureAt",
  coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where id in (select id from found)
  and calls_at >= $8 and calls_at < $9
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
order by calls_at, id
limit $10
