-- Freight rates: what a container costs on a lane, from when to when (docs/rates.md). Amounts are whole numbers of
-- the currency's minor unit: cents, fils, yen.

-- The first cell takes over what the directory had.
do $$
declare
  directory text := regexp_replace(current_schema, '_rates_0$', '');
  name text;
  is_taken_over boolean := false;
begin
  foreach name in array array['rate_day', 'rate_lanes', 'lane_rates', 'rate_indices', 'rate_index_values'] loop
    if directory <> current_schema and to_regclass(format('%I.%I', directory, name)) is not null then
      execute format('alter table %I.%I set schema %I', directory, name, current_schema);
      is_taken_over := true;
    end if;
  end loop;
  -- Where the rows are from now on (store/homes/product-cells.ts).
  if is_taken_over then
    execute format(
      'insert into %I.slots (kind, slot, cell)'
      ' select distinct ''rates'', (''x'' || left(md5(origin || destination), 8))::bit(32)::bigint %% 1024, cell.number'
      ' from rate_lanes'
      ' cross join (select min(number) as number from %1$I.cells where kind = ''rates'') as cell'
      ' on conflict do nothing', directory);
  end if;
end
$$;

-- The other cells, and a first one on another server, begin empty.

-- The day, in UTC, that the lanes have come to. It never goes back. A transaction that changes a rate, a lane or
-- an index locks its row: there is one writer at a time.
create table if not exists rate_day (
  only_row boolean primary key default true check (only_row),
  day date not null
);

insert into rate_day (day) values ('1970-01-01') on conflict do nothing;

create table if not exists rate_lanes (
  id uuid primary key,
  -- UN/LOCODE.
  origin text collate "C" not null check (origin ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  destination text collate "C" not null check (destination ~ '^[A-Z]{2}[A-Z2-9]{3}$'),
  equipment text collate "C" not null check (equipment ~ '^[0-9A-Z]{4,5}$'),
  -- SCAC; empty: the market's rate, which is no single carrier's.
  carrier text collate "C" not null check (carrier ~ '^([A-Z]{2,4})?$'),
  -- ISO 4217.
  currency text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  created_at timestamptz not null,
  -- The rate that holds on the day of rate_day; null: none does.
  valid_rate_id uuid,
  -- Whether a rate ever was: the first one of a lane is no change.
  has_had_rate boolean not null default false,
  -- The next day on which the passing of time changes what holds; null: none.
  changes_on date,
  -- Changes that have been raised.
  changes_raised integer not null default 0 check (changes_raised >= 0),
  constraint one_lane unique (origin, destination, equipment, carrier, currency),
  constraint a_rate_that_holds_has_been_had check (valid_rate_id is null or has_had_rate)
);

create index if not exists rate_lanes_to on rate_lanes (destination, origin, equipment, carrier, currency);
create index if not exists rate_lanes_changing on rate_lanes (changes_on) where changes_on is not null;

-- Rows stay: replaced and removed rates say when they ended.
create table if not exists lane_rates (
  id uuid primary key,
  -- Of rate_lanes, whose rows are never deleted; a foreign key would cost a load a third of its time.
  lane_id uuid not null,
  valid_from date not null,
  -- As it was loaded; a rate that begins later ends this one the day before.
  valid_to date check (valid_to >= valid_from),
  base bigint not null check (base >= 0),
  -- What the base and the surcharges that it does not include come to.
  total bigint not null check (total >= 0),
  -- JSON, by code.
  surcharges text not null,
  loaded_at timestamptz not null,
  ended_at timestamptz,
  ended_by text check (ended_by in ('replaced', 'removed')),
  constraint an_end_is_whole check (num_nulls(ended_at, ended_by) in (0, 2))
);

create unique index if not exists one_rate_a_first_day on lane_rates (lane_id, valid_from) where ended_at is null;
create index if not exists lane_rates_by_lane on lane_rates (lane_id, valid_from, id);

-- Indices are in the first cell; their lanes may be in any. The weights of an
-- index's basket never change, nor do the prices of its base date.
create table if not exists rate_indices (
  id text collate "C" primary key check (id ~ '^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$'),
  name text not null check (length(name) between 1 and 200),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  base_date date not null,
  -- Hundredths of a point.
  base_value bigint not null check (base_value > 0),
  -- JSON: the lanes of the basket, their weights, and what they cost on the base date.
  basket text not null,
  -- 1 Monday to 7 Sunday; null: computed on demand only.
  weekday smallint check (weekday between 1 and 7),
  hour_utc smallint not null check (hour_utc between 0 and 23),
  -- When it is computed next; its UTC day is the date of the value.
  next_at timestamptz,
  created_at timestamptz not null,
  constraint only_weekly_ones_wait check (weekday is not null or next_at is null)
);

create index if not exists rate_indices_due on rate_indices (next_at) where next_at is not null;

create table if not exists rate_index_values (
  index_id text collate "C" not null references rate_indices (id) on delete cascade,
  dated date not null,
  -- Hundredths of a point.
  value bigint not null check (value >= 0),
  -- How much of the basket had a price, hundredths of a percent of its worth on the base date.
  coverage integer not null check (coverage between 0 and 10000),
  lanes_carried integer not null check (lanes_carried >= 0),
  lanes_missing integer not null check (lanes_missing >= 0),
  computed_at timestamptz not null,
  primary key (index_id, dated)
);
