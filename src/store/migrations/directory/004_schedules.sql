-- The record of sailing schedules: what carriers say of their vessels' calls at ports, which is nobody's in
-- particular and so lives here. Calls are kept for some months after they have been made.

-- Whoever takes in what was told of a carrier's calls holds its row until the transaction ends: which call a
-- statement is about depends on all calls of the voyage.
create table schedule_carriers (
  -- The SCAC.
  carrier text primary key check (carrier ~ '^[A-Z]{2,4}$')
);

-- Calls of a vessel at a port, on a voyage of a carrier's service.
create table port_calls (
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
  -- When it leaves, else arrives, else when it was first told of: by this it is found to be over.
  calls_at timestamptz not null,
  -- CallRecord (producers/schedules/call-record.ts), as JSON.
  record text not null,
  -- Since when nobody tells of it any more; null while it is told of.
  gone_at timestamptz,
  -- When time alone changes something: a cut-off comes near, the arrival that it is measured by is fixed.
  next_look_at timestamptz,
  -- For reliability: the day of its arrival by the port's calendar, and whether that kept the schedule.
  measured_on date,
  on_time boolean,
  updated_at timestamptz not null,
  constraint measured_is_whole check ((measured_on is null) = (on_time is null)),
  -- Looked at when the transaction ends: the numbers of several calls of a voyage may change together.
  constraint one_row_a_call unique (carrier, voyage, port, service, nth) deferrable initially deferred
);

create index port_calls_departing on port_calls (port, departure_at);
create index port_calls_arriving on port_calls (port, arrival_at);
create index port_calls_of_vessel on port_calls (vessel_imo, arrival_at) where vessel_imo is not null;
create index port_calls_imported on port_calls (carrier, import_voyage, port) where import_voyage <> '';
create index port_calls_of_carrier on port_calls (carrier, calls_at);
create index port_calls_over on port_calls (calls_at);
create index port_calls_due on port_calls (next_look_at) where next_look_at is not null;
create index port_calls_measured on port_calls (carrier, service, measured_on) include (on_time)
  where measured_on is not null;

-- How well a carrier's service kept its schedule, over the window that ends with the day.
create table service_reliability (
  carrier text not null,
  service text not null,
  day date not null,
  on_time integer not null check (on_time >= 0),
  measured integer not null check (measured >= on_time),
  -- In thousandths, what the next falls are counted from: the highest since the last that was told. Null while
  -- too few calls were measured.
  reference integer check (reference between 0 and 1000),
  primary key (carrier, service, day)
);

create index service_reliability_of_day on service_reliability (day);

-- The feeds of schedules: when each is asked next, and which node is at it.
create table schedule_feeds (
  name text primary key,
  next_fetch_at timestamptz not null,
  -- A name that the node that asks has made up for this fetch; null while nobody asks.
  claimed_by uuid,
  claimed_until timestamptz,
  -- The last fetch that ended: when, what came of it, and of how many calls it told.
  fetched_at timestamptz,
  outcome text,
  calls integer,
  -- Fetches without an answer since the last one.
  failures integer not null default 0 check (failures >= 0),
  constraint claim_is_whole check ((claimed_by is null) = (claimed_until is null))
);

-- The days up to which the installation's reliability has been worked out.
create table schedule_days (
  only_row boolean primary key default true check (only_row),
  reliability_until date not null
);
