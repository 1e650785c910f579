-- part: calls_written
@calls (
  id uuid, carrier text, service text, voyage text, import_voyage text, port text, nth integer,
  vessel_imo text null, vessel_name text null, terminal text null, status text null,
  arrival_ms timestamptz null, departure_ms timestamptz null, calls_at_ms timestamptz, record text,
  gone_ms timestamptz null, due_ms timestamptz null, measured_on text null, on_time boolean null
) as call

-- name: awaited_call_list :many
-- Calls at ports from which boxes are to sail, by what is known of each sailing: those of its vessel by number or
-- name, or of its voyage.
--
-- @searches departures between two times, of an IMO number, a name (letters and digits in upper case) or a voyage
-- @callsMax how many calls of each
-- @notnull nth
select (wanted.nth - 1)::integer as nth, call.record
from @searches (
  carrier text, port text, from_ms timestamptz, to_ms timestamptz, imo text null, name text null,
  voyage text null, nth ordinality
) as wanted
cross join lateral (
  select record
  from cell.port_calls
  where port = wanted.port and carrier = wanted.carrier
    and departure_at >= wanted.from_ms and departure_at <= wanted.to_ms
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
-- @notnull record
select record from cell.port_calls where id = @id;

-- name: port_call_insert :exec
insert into cell.port_calls (
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_at,
  departure_at, calls_at, record, gone_at, due_at, measured_on, on_time, updated_at
)
select
  id, carrier, service, voyage, import_voyage, port, nth, vessel_imo, vessel_name, terminal, status, arrival_ms,
  departure_ms, calls_at_ms, record, gone_ms, due_ms, measured_on::date, on_time, @at
from @@calls_written;

-- name: port_call_list_arriving :many
-- Calls at a port in the order of arrivals.
--
-- @carrier null: any · @vessel the vessel's IMO number, null: any · @withCancelled also
-- cancelled calls · @behind behind this call, null: from the first
-- @notnull at
-- @null @carrier @vessel @behind
select id, record, arrival_at as at
from cell.port_calls
where port = @port and arrival_at >= @fromMs and arrival_at < @beforeMs
  and (@carrier::text is null or carrier = @carrier)
  and (@vessel::text is null or vessel_imo = @vessel)
  and (@withCancelled::boolean or gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT'))
  and (@behind.ms::timestamptz is null or (arrival_at, id) > (@behind.ms, @behind.id::uuid))
order by arrival_at, id
limit @limit;

-- name: port_call_list_by_id :many
-- Calls by their ids.
select id, record from cell.port_calls where id = any (@ids::uuid[]);

-- name: port_call_list_departing :many
-- Calls at a port in the order of departures.
--
-- @carrier null: any · @vessel the vessel's IMO number, null: any · @withCancelled also
-- cancelled calls · @behind behind this call, null: from the first
-- @notnull at
-- @null @carrier @vessel @behind
select id, record, departure_at as at
from cell.port_calls
where port = @port and departure_at >= @fromMs and departure_at < @beforeMs
  and (@carrier::text is null or carrier = @carrier)
  and (@vessel::text is null or vessel_imo = @vessel)
  and (@withCancelled::boolean or gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT', 'NDEP'))
  and (@behind.ms::timestamptz is null or (departure_at, id) > (@behind.ms, @behind.id::uuid))
order by departure_at, id
limit @limit;

-- name: port_call_list_in_scope :many
-- The calls to come that a complete fetch had to include, and the calls after them, without the calls known to be
-- gone. One that arrived before the fetch's time may have been left out of it.
--
-- @service the service or null · @port the port or null · @behind behind this id, null: from
-- the first · @vessel the vessel's IMO number or null
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
-- @imo the IMO number
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
select id, record, due_at as "dueAt"
from cell.port_calls
where id in (
  select leaving.id
  from @keys (carrier text, voyage text, port text) as wanted
  join cell.port_calls as leaving
    on leaving.carrier = wanted.carrier and leaving.voyage = wanted.voyage and leaving.port = wanted.port
  union
  select coming.id
  from @keys as wanted
  join cell.port_calls as coming
    on coming.carrier = wanted.carrier and coming.import_voyage = wanted.voyage and coming.port = wanted.port
    and coming.import_voyage <> ''
)
order by id
for update;

-- name: port_call_lock_due :many
-- The calls that time alone has changed. The index on due_at holds only calls with a due time, so that the
-- search for due calls reads no others.
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
-- @apartS how many seconds apart
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
-- Each voyage once.
select call.id, call.record, call.due_at as "dueAt"
from cell.port_calls as call
join @voyages (carrier text, voyage text) as wanted
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
-- The carrier and the port do not change.
update cell.port_calls as known
set
  service = call.service, voyage = call.voyage, import_voyage = call.import_voyage, nth = call.nth,
  vessel_imo = call.vessel_imo, vessel_name = call.vessel_name, terminal = call.terminal, status = call.status,
  arrival_at = call.arrival_ms, departure_at = call.departure_ms, calls_at = call.calls_at_ms, record = call.record,
  gone_at = call.gone_ms, due_at = call.due_ms, measured_on = call.measured_on::date,
  on_time = call.on_time, updated_at = @at
from @@calls_written
where known.id = call.id;

-- name: port_list :many
-- The ports that vessels leave from a time on, with their next departure; one step of the index for each port.
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
