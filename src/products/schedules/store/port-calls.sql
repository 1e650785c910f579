-- name: awaited_call_list :many
-- Calls at ports from which boxes are to sail, by what is known of each sailing: those of its vessel by number or
-- name, or of its voyage.
--
-- @carriers carriers · @ports ports · @fromMs and @toMs departures from, and to · @imos IMO numbers or null · @names names, letters and digits in
-- upper case, or null · @voyages voyages or null · @callsMax how many calls of each sailing
-- @notnull nth
select (wanted.nth - 1)::integer as nth, call.record
from unnest(
  @carriers::text[], @ports::text[], @fromMs::timestamptz[], @toMs::timestamptz[], @imos::text[], @names::text[], @voyages::text[]
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
  limit @callsMax
) as call;

-- name: port_call_count :one
-- @notnull count
select count(*)::integer as count from cell.port_calls;

-- name: port_call_get :maybe
-- One call.
--
-- @id the call
-- @notnull record
select record from cell.port_calls where id = @id;

-- name: port_call_insert :exec
-- (@ids, @carriers, @services, @voyages, @importVoyages, @ports, @numbers, @vesselImos, @vesselNames, @terminals, @status, @arrivalAts, @departureAts, @callsAts, @records, @goneAts, @dueAts, @measuredOns, @onTimes, @at)
-- @ids … @onTimes the columns in their order · @at the time
insert into cell.port_calls (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time, updated_at
)
select
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on::date, on_time, @at
from unnest(
  @ids::uuid[], @carriers::text[], @services::text[], @voyages::text[], @importVoyages::text[], @ports::text[], @numbers::integer[], @vesselImos::text[], @vesselNames::text[],
  @terminals::text[], @status::text[], @arrivalAts::timestamptz[], @departureAts::timestamptz[], @callsAts::timestamptz[], @records::text[],
  @goneAts::timestamptz[], @dueAts::timestamptz[], @measuredOns::text[], @onTimes::boolean[]
) as call (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time
);

-- name: port_call_list_arriving :many
-- Calls at a port in the order of arrivals.
--
-- @port the port · @from and @before from, and before · @carrier carrier, null: any · @vessel the vessel's IMO number, null: any · @withCancelled also
-- cancelled calls · @behindAt behind this time, null: from the first, and @behindId this call · @limit how many
-- @notnull at
-- @null @carrier @vessel @behindAt @behindId
select id, record, arrival_at as at
from cell.port_calls
where port = @port and arrival_at >= @from and arrival_at < @before
  and (@carrier::text is null or carrier = @carrier)
  and (@vessel::text is null or vessel_imo = @vessel)
  and (@withCancelled::boolean or gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT'))
  and (@behindAt::timestamptz is null or (arrival_at, id) > (@behindAt, @behindId::uuid))
order by arrival_at, id
limit @limit;

-- name: port_call_list_by_id :many
-- Calls by their ids.
--
-- @ids the ids
select id, record from cell.port_calls where id = any (@ids::uuid[]);

-- name: port_call_list_departing :many
-- Calls at a port in the order of departures.
--
-- @port the port · @from and @before from, and before · @carrier carrier, null: any · @vessel the vessel's IMO number, null: any · @withCancelled also
-- cancelled calls · @behindAt behind this time, null: from the first, and @behindId this call · @limit how many
-- @notnull at
-- @null @carrier @vessel @behindAt @behindId
select id, record, departure_at as at
from cell.port_calls
where port = @port and departure_at >= @from and departure_at < @before
  and (@carrier::text is null or carrier = @carrier)
  and (@vessel::text is null or vessel_imo = @vessel)
  and (@withCancelled::boolean or gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT', 'NDEP'))
  and (@behindAt::timestamptz is null or (departure_at, id) > (@behindAt, @behindId::uuid))
order by departure_at, id
limit @limit;

-- name: port_call_list_in_scope :many
-- The calls to come that a complete fetch had to include, and the calls after them, without the calls known to be
-- gone. One that arrived before the fetch's time may have been left out of it.
--
-- @carrier the carrier · @service the service or null · @port the port or null · @from from · @at the time · @behind behind this id, null: from
-- the first · @limit how many · @vessel the vessel's IMO number or null
-- @null @service @port @behind @vessel
select id, service, voyage, calls_at as "callsAt", arrival_at as "arrivalAt"
from cell.port_calls
where carrier = @carrier and calls_at > @at and calls_at >= @from
  and (arrival_at is null or arrival_at >= @from)
  and (@service::text is null or service = @service)
  and (@port::text is null or port = @port)
  and (@vessel::text is null or vessel_imo = @vessel)
  and gone_at is null
  and id > coalesce(@behind::uuid, '00000000-0000-0000-0000-000000000000')
order by id
limit @limit;

-- name: port_call_list_of_vessel :many
-- A vessel's last calls before a time, and its next ones from then on, in their order.
--
-- @imo the IMO number · @at the time · @limit how many of each
-- @notnull id record at
select id, record, calls_at as at
from (
  (
    select record, calls_at, id from cell.port_calls
    where vessel_imo = @imo and calls_at < @at
    order by calls_at desc, id desc
    limit @limit
  )
  union all
  (
    select record, calls_at, id from cell.port_calls
    where vessel_imo = @imo and calls_at >= @at
    order by calls_at, id
    limit @limit
  )
) as call
order by calls_at, id;

-- name: port_call_lock_by_key :many
-- All calls that statements may be about, by the number on which they leave or that on which they came. Rows are
-- locked in one order by all who write several.
--
-- @carriers carriers · @voyages voyages · @ports ports
select id, record, due_at as "dueAt"
from cell.port_calls
where id in (
  select leaving.id
  from unnest(@carriers::text[], @voyages::text[], @ports::text[]) as wanted (carrier, voyage, port)
  join cell.port_calls as leaving
    on leaving.carrier = wanted.carrier and leaving.voyage = wanted.voyage and leaving.port = wanted.port
  union
  select coming.id
  from unnest(@carriers::text[], @voyages::text[], @ports::text[]) as wanted (carrier, voyage, port)
  join cell.port_calls as coming
    on coming.carrier = wanted.carrier and coming.import_voyage = wanted.voyage and coming.port = wanted.port
    and coming.import_voyage <> ''
)
order by id
for update;

-- name: port_call_lock_due :many
-- The calls that time alone has changed. The index on due_at holds only calls with a due time, so that the
-- search for due calls reads no others.
--
-- @at the time · @limit how many
select id, record, due_at as "dueAt"
from cell.port_calls
where due_at <= @at
order by due_at
limit @limit
for update skip locked;

-- name: port_call_lock_missing :many
-- Calls that a complete fetch has left out, and whether the same vessel still is to call at the same port about
-- then: on a voyage that was given another number, or in a service that was given another name.
--
-- @ids ids · @apartS how many seconds apart
-- @notnull isReplaced
select
  id, record, due_at as "dueAt",
  exists (
    select
    from cell.port_calls as other
    where other.vessel_imo = call.vessel_imo
      and other.calls_at between call.calls_at - make_interval(secs => @apartS)
        and call.calls_at + make_interval(secs => @apartS)
      and other.carrier = call.carrier and other.port = call.port
      and (other.voyage <> call.voyage or other.service <> call.service)
      and other.gone_at is null and coalesce(other.status, '') not in ('OMIT', 'BLNK', 'SLID')
      and not (other.id = any (@ids::uuid[]))
  ) as "isReplaced"
from cell.port_calls as call
where id = any (@ids::uuid[])
order by id
for update;

-- name: port_call_lock_of_voyages :many
-- All calls of voyages. Rows are locked in one order by all who write several.
--
-- @carriers carriers · @numbers voyages; each pair once
select call.id, call.record, call.due_at as "dueAt"
from cell.port_calls as call
join unnest(@carriers::text[], @numbers::text[]) as wanted (carrier, voyage)
  on call.carrier = wanted.carrier and call.voyage = wanted.voyage
order by call.id
for update of call;

-- name: port_call_prune :one
-- @notnull count
with over as (
  select id
  from cell.port_calls
  where calls_at < @before
  order by calls_at
  limit @limit
  for update skip locked
),
gone as (
  delete from cell.port_calls as call using over where call.id = over.id returning call.id
)
select count(*)::integer as count from gone;

-- name: port_call_update :exec
-- (@ids, @carriers, @services, @voyages, @importVoyages, @ports, @numbers, @vesselImos, @vesselNames, @terminals, @status, @arrivalAts, @departureAts, @callsAts, @records, @goneAts, @dueAts, @measuredOns, @onTimes, @at)
-- @ids … @onTimes the columns in their order; the carrier and the port do not change · @at the time
update cell.port_calls as known
set
  service = call.service, voyage = call.voyage, import_voyage = call.import_voyage, nth = call.nth,
  vessel_imo = call.vessel_imo, vessel_name = call.vessel_name, terminal = call.terminal, status = call.status,
  arrival_at = call.arrival_at, departure_at = call.departure_at, calls_at = call.calls_at, record = call.record,
  gone_at = call.gone_at, due_at = call.due_at, measured_on = call.measured_on::date,
  on_time = call.on_time, updated_at = @at
from unnest(
  @ids::uuid[], @carriers::text[], @services::text[], @voyages::text[], @importVoyages::text[], @ports::text[], @numbers::integer[], @vesselImos::text[], @vesselNames::text[],
  @terminals::text[], @status::text[], @arrivalAts::timestamptz[], @departureAts::timestamptz[], @callsAts::timestamptz[], @records::text[],
  @goneAts::timestamptz[], @dueAts::timestamptz[], @measuredOns::text[], @onTimes::boolean[]
) as call (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time
)
where known.id = call.id;

-- name: port_list :many
-- The ports that vessels leave from a time on, with their next departure; one step of the index for each port.
--
-- @from from · @limit how many at most
-- @notnull port nextAt
with recursive known (port) as (
  (select port from cell.port_calls order by port limit 1)
  union all
  select (select behind.port from cell.port_calls as behind where behind.port > known.port order by behind.port limit 1)
  from known
  where known.port is not null
)
select known.port, next.departure_at as "nextAt"
from known
cross join lateral (
  select departure_at
  from cell.port_calls
  where port_calls.port = known.port and departure_at >= @from
  order by departure_at
  limit 1
) as next
where known.port is not null
limit @limit;

-- name: schedule_carrier_lock :exec
-- Locks the carriers' rows, in one order, and adds missing rows.
--
-- @carriers SCACs, each once
insert into cell.schedule_carriers (carrier)
select carrier from unnest(@carriers::text[]) as wanted (carrier) order by carrier
on conflict (carrier) do update set carrier = excluded.carrier;
