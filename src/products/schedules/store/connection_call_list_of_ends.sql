-- All calls, within a time, of the vessels and voyages that come to a port, and of further ones: where journeys begin
-- and end.
--
-- One scan of the time, each call checked against hashes of what is sought. `in` stands in alternatives, so that it
-- becomes no join: the pool allows no hash join (store/server.ts), and a nested loop compares every call with every
-- voyage where all are of one carrier's service.
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
vessel as materialized (
  select carrier, vessel_imo as imo from arriving where vessel_imo is not null
  union
  select carrier, imo from unnest($3::text[], $4::text[]) as further (carrier, imo)
),
sought as materialized (
  select carrier, service, voyage from arriving where voyage <> ''
  union
  select carrier, service, import_voyage from arriving where import_voyage <> ''
  union
  select carrier, service, voyage from unnest($5::text[], $6::text[], $7::text[]) as further (carrier, service, voyage)
)
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", (extract(epoch from arrival_at) * 1000)::float8 as "arrivalMs",
  (extract(epoch from departure_at) * 1000)::float8 as "departureMs", coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls
where calls_at >= $8 and calls_at < $9
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
  and (
    (carrier, vessel_imo) in (select carrier, imo from vessel)
    or (carrier, service, voyage) in (select carrier, service, voyage from sought)
    or import_voyage <> '' and (carrier, service, import_voyage) in (select carrier, service, voyage from sought)
  )
order by calls_at, id
limit $10
