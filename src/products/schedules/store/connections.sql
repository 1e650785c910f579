-- part: call_of_journey
-- What a journey takes of a call.
select id, carrier, service, voyage, import_voyage as "importVoyage", port, vessel_imo as "vesselImo",
  vessel_name as "vesselName", (extract(epoch from arrival_at) * 1000)::float8 as "arrivalMs",
  (extract(epoch from departure_at) * 1000)::float8 as "departureMs", coalesce(status, '') <> 'NDEP' as "isLeaving"
from cell.port_calls

-- name: connection_call_list_at_ports :many
-- Calls at some ports within a time: between the first and the last leg of a journey.
--
-- @carriers the carriers, null: any · @fromMs and @beforeMs departures from, and arrivals before · @stayS how long a vessel may
-- stay, in seconds
-- @notnull isLeaving
-- @null @carriers
@@call_of_journey
where (@carriers::text[] is null or carrier = any (@carriers)) and port = any (@ports::text[])
  and (
    departure_at >= @fromMs and departure_at < @beforeMs::timestamptz + make_interval(secs => @stayS)
    and (arrival_at is null or arrival_at < @beforeMs)
    or departure_at is null and arrival_at >= @fromMs and arrival_at < @beforeMs
  )
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
order by calls_at, id
limit @limit;

-- name: connection_call_list_departing :many
-- Calls at a port from which vessels leave, in the order of departures: where journeys begin.
--
-- @origin the port · @fromMs and @beforeMs from, and before · @carrier carrier, null: any · @behind behind this call, null: from the first
-- @notnull isLeaving
-- @null @carrier @behind
@@call_of_journey
where port = @origin and departure_at >= @fromMs and departure_at < @beforeMs
  and (@carrier::text is null or carrier = @carrier)
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT', 'NDEP')
  and (@behind.ms::timestamptz is null or (departure_at, id) > (@behind.ms, @behind.id::uuid))
order by departure_at, id
limit @limit;

-- name: connection_call_list_of_ends :many
-- All calls, within a time, of the vessels and voyages that come to a port, and of further ones: where journeys begin
-- and end.
--
-- One scan of the time, each call checked against hashes of what is sought. `in` stands in alternatives, so that it
-- becomes no join: the pool allows no hash join (store/server.ts), and a nested loop compares every call with every
-- voyage where all are of one carrier's service.
--
-- @carriers null: any · @vessels and @voyages the further ones
-- @notnull id carrier service voyage importVoyage port isLeaving
-- @null @carriers
with arriving as materialized (
  select carrier, service, voyage, import_voyage, vessel_imo
  from cell.port_calls
  where port = @port and arrival_at > @fromMs and arrival_at < @beforeMs and (@carriers::text[] is null or carrier = any (@carriers))
    and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
  order by arrival_at
  limit @limit
),
vessel as materialized (
  select carrier, vessel_imo as imo from arriving where vessel_imo is not null
  union
  select carrier, imo from @vessels (carrier text, imo text) as further
),
sought as materialized (
  select carrier, service, voyage from arriving where voyage <> ''
  union
  select carrier, service, import_voyage from arriving where import_voyage <> ''
  union
  select carrier, service, voyage from @voyages (carrier text, service text, voyage text) as further
)
@@call_of_journey
where calls_at >= @fromMs and calls_at < @beforeMs
  and gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT')
  and (
    (carrier, vessel_imo) in (select carrier, imo from vessel)
    or (carrier, service, voyage) in (select carrier, service, voyage from sought)
    or import_voyage <> '' and (carrier, service, import_voyage) in (select carrier, service, voyage from sought)
  )
order by calls_at, id
limit @limit;
