-- How outside sources answered last, as the nodes that ask them or take their pushes say every some seconds
-- (freight/sources/source-log.ts). By the names of upstreams.
create table source_answers (
  source text primary key check (length(source) between 1 and 300),
  -- The last request that was sent, or push that came; null: there was none yet.
  asked_at timestamptz,
  -- What it was about.
  subject text check (length(subject) <= 300),
  -- 'ok', or the code of the failure.
  outcome text check (length(outcome) <= 100),
  answered_at timestamptz,
  failed_at timestamptz,
  failure text check (length(failure) <= 100),
  -- Since counted_since.
  requests bigint not null check (requests >= 0),
  failures bigint not null check (failures >= 0),
  counted_since timestamptz not null,
  -- No request is sent before it, and why; null: they are.
  waits_until timestamptz,
  waits_for text check (length(waits_for) <= 100)
);

-- What of their answers could not be read.
create table source_skips (
  source text not null check (length(source) between 1 and 300),
  -- Without the values in it, so that there are few.
  reason text not null check (length(reason) between 1 and 300),
  count bigint not null check (count > 0),
  last_at timestamptz not null,
  -- The last of them, and what it was about.
  example text not null check (length(example) <= 600),
  primary key (source, reason)
);
