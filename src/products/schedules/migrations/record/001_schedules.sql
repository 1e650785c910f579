-- The record of sailing schedules: what carriers say of their vessels' calls at ports. Calls are kept for some months
-- after they have been made.

-- The first cell takes over what the directory had.
do $$
declare
  directory text := regexp_replace(current_schema, '_schedules_0$', '');
  name text;
  is_taken_over boolean := false;
begin
  foreach name in array array['schedule_carriers', 'port_calls', 'service_reliability', 'schedule_days'] loop
    if directory <> current_schema and to_regclass(format('%I.%I', directory, name)) is not null then
      execute format('alter table %I.%I set schema %I', directory, name, current_schema);
      is_taken_over := true;
    end if;
  end loop;
  -- Where the rows are from now on (store/homes/product-cells.ts).
  if is_taken_over then
    execute format(
      'insert into %I.slots (kind, slot, cell)'
      ' select distinct ''schedules'', (''x'' || left(md5(carrier), 8))::bit(32)::bigint %% 1024, cell.number'
      ' from schedule_carriers'
      ' cross join (select min(number) as number from %1$I.cells where kind = ''schedules'') as cell'
      ' on conflict do nothing', directory);
  end if;
end
$$;

-- The other cells, and a first one on another server, begin empty.

-- A transaction that ingests reports of a carrier locks its row until it ends: which call a statement is about depends
-- on all calls of the voyage.
create table if not exists schedule_carriers (
  -- The SCAC.
  carrier text primary key check (carrier ~ '^[A-Z]{2,4}$')
);

-- Calls of a vessel at a port, on a voyage of a carrier's service.
create table if not exists port_calls (
  id uuid primary key,
  carrier text not null check (carrier ~ '^[A-Z]{2,4}$'),
  -- The service's code, else its name; empty while unknown.
  service text not null,
  -- The number of the voyage on which it leaves, else on which it came; empty while unknown.
  voyage text not null,
  -- The number of the voyage on which it came where that is another one; else empty.
  import_voyage text not null,
  port text not null check (port ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  -- Tells calls of one voyage at one port apart; in the order in which they became known.
  nth smallint not null check (nth > 0),
  vessel_imo text check (vessel_imo ~ '^[0-9]{7}$'),
  vessel_name text,
  -- SMDG facility code.
  terminal text,
  -- portCallStatusCode of OVS 3.0; null: as planned.
  status text check (status ~ '^[A-Z]{4}$'),
  -- Actual, else estimated, else planned.
  arrival_at timestamptz,
  departure_at timestamptz,
  -- When it leaves, else arrives, else when it was first reported: by this it is found to be over.
  calls_at timestamptz not null,
  -- CallRecord (products/schedules/calls/call-record.ts), as JSON.
  record text not null,
  -- Since when nobody reports it any more; null while somebody does.
  gone_at timestamptz,
  -- When time alone changes something: a cut-off comes near, the arrival that it is measured by is fixed.
  due_at timestamptz,
  -- For reliability: the day of its arrival by the port's calendar, and whether that kept the schedule.
  measured_on date,
  on_time boolean,
  updated_at timestamptz not null,
  constraint measured_is_whole check ((measured_on is null) = (on_time is null)),
  -- Checked when the transaction ends: the numbers of several calls of a voyage may change together.
  constraint one_row_a_call unique (carrier, voyage, port, service, nth) deferrable initially deferred
);

create index if not exists port_calls_departing on port_calls (port, departure_at);
create index if not exists port_calls_arriving on port_calls (port, arrival_at);
create index if not exists port_calls_of_vessel on port_calls (vessel_imo, arrival_at) where vessel_imo is not null;
create index if not exists port_calls_imported on port_calls (carrier, import_voyage, port) where import_voyage <> '';
create index if not exists port_calls_of_carrier on port_calls (carrier, calls_at);
create index if not exists port_calls_over on port_calls (calls_at);
create index if not exists port_calls_due on port_calls (due_at) where due_at is not null;
create index if not exists port_calls_measured on port_calls (carrier, service, measured_on) include (on_time)
  where measured_on is not null;

-- How well a carrier's service kept its schedule, over the window that ends with the day.
create table if not exists service_reliability (
  carrier text not null,
  service text not null,
  day date not null,
  on_time integer not null check (on_time >= 0),
  measured integer not null check (measured >= on_time),
  -- In thousandths, what the next falls are counted from: the highest since the last that was raised. Null while
  -- too few calls were measured.
  reference integer check (reference between 0 and 1000),
  primary key (carrier, service, day)
);

create index if not exists service_reliability_of_day on service_reliability (day);

-- The day up to which the cell's reliability has been worked out.
create table if not exists schedule_days (
  only_row boolean primary key default true check (only_row),
  reliability_until date not null
);

-- The calls of one carrier at one port about a time: from which boxes may be to sail, and sailings of a carrier.
create index if not exists port_calls_of_carrier_departing on port_calls (carrier, port, departure_at);
