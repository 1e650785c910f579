-- One cell: a complete set of tables for the accounts that live in it. No statement leaves its cell.
--
-- The state of a delivery is spread over two tables so that the common case touches one:
--
--   deliveries   every delivery there is. A fresh one is inserted with `node` set to the node that
--                raised it, which sends it at once; settling it is a HOT update, since none of the
--                columns that change is indexed.
--   queue        the pending deliveries that wait: for their next attempt, for a free place on some
--                node, or for their endpoint to become active again. `node` is set while claimed.
--
-- A pending delivery is in exactly one place: held by a live node since its birth
-- (deliveries.node is set and it has no row in the queue), or in the queue.

create table accounts (
  id uuid primary key,
  -- Moves with every change that decides who receives what; raising checks it (engine/raise.ts).
  routing_version bigint not null default 1
) with (fillfactor = 50);

create table endpoints (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  product text not null,
  url text not null check (length(url) <= 2048),
  event_types text[] not null,
  description text not null check (length(description) <= 1000),
  sealed_secret_hash bytea not null,
  active boolean not null,
  failure_count integer not null check (failure_count >= 0),
  last_delivery_at timestamptz,
  -- Set while, and only while, the endpoint is inactive: what is parked behind it ages from here.
  inactive_since timestamptz,
  created_at timestamptz not null,
  constraint inactive_endpoints_say_since_when check (active = (inactive_since is null))
) with (fillfactor = 50);

create index endpoints_by_account on endpoints (account_id, product, id);
create index endpoints_inactive on endpoints (inactive_since) where not active;

-- Endpoints that are gone and whose history still has to be pruned.
create table deleted_endpoints (
  endpoint_id uuid primary key,
  deleted_at timestamptz not null
);

-- Ids are UUIDv7, so a range of ids is a range of time: partitions are cut by id, and the primary key
-- needs no second column. engine/prune.ts makes the partitions ahead and drops them after retention.
create table events (
  id uuid primary key,
  account_id uuid not null,
  product text not null,
  type text not null,
  occurred_at timestamptz not null,
  -- JSON as it was raised, byte for byte; never jsonb, which would rewrite it.
  data text not null
) partition by range (id);

create table event_keys (
  account_id uuid not null,
  product text not null,
  dedup_key text not null,
  event_id uuid not null,
  created_at timestamptz not null,
  primary key (account_id, product, dedup_key)
);

create index event_keys_by_age on event_keys (created_at);

create table deliveries (
  id uuid primary key,
  event_id uuid not null,
  endpoint_id uuid not null,
  node integer,
  attempt_count smallint not null default 0 check (attempt_count >= 0),
  last_status_code smallint,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  constraint delivered_says_when check ((status = 'delivered') = (delivered_at is not null)),
  constraint delivered_has_no_error check (status <> 'delivered' or last_error is null),
  constraint delivered_was_attempted check (status <> 'delivered' or attempt_count > 0),
  constraint only_pending_is_held check (status = 'pending' or node is null)
) partition by range (id);

create index deliveries_by_endpoint on deliveries (endpoint_id, id);

create table queue (
  delivery_id uuid primary key,
  endpoint_id uuid not null,
  due_at timestamptz not null,
  -- The node that holds the delivery for its next attempt; null while it waits.
  node integer
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index queue_waiting on queue (endpoint_id, due_at) where node is null;
create index queue_claimed on queue (node) where node is not null;

-- Every running process. Its number is what deliveries.node and queue.node hold; a number is never
-- used twice, and a write of a node that was replaced matches no row.
create table nodes (
  id integer generated always as identity primary key,
  started_at timestamptz not null,
  -- Counts up while the node lives. Others watch it change by their own clocks (engine/node.ts).
  beat bigint not null default 0,
  -- No delivery older than this is held by the node without a row in the queue.
  oldest_held uuid not null,
  -- The last change of an endpoint that the node has taken in (engine/notices.ts).
  seen_change bigint not null default 0
) with (fillfactor = 50);

-- Numbers the changes of endpoints, in the order in which they commit: the row's lock is held from the
-- number to the commit, so that a node which has seen a number has seen all below it.
create table changes (
  only_row boolean primary key default true check (only_row),
  number bigint not null default 0
) with (fillfactor = 10);

insert into changes default values;
