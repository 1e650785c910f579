-- How nodes share the quotas of outside APIs. Times are milliseconds of the nodes' shared time, which each node
-- moves up to the latest that another has told (docs/decisions/upstream-shared-quotas.md).

create table upstream_limits (
  source text not null check (length(source) between 1 and 300),
  -- The limit is on requests within this time.
  window_ms integer not null check (window_ms > 0),
  -- The latest time that a node has told.
  told_at double precision not null,
  -- The turns before it are leased.
  leased_until double precision not null,
  -- The node that leased last, and when another one last asked.
  holder uuid not null,
  contended_at double precision,
  primary key (source, window_ms)
);

create table upstream_pauses (
  source text primary key check (length(source) between 1 and 300),
  told_at double precision not null,
  -- The source wants no request before it.
  paused_until double precision not null
);
