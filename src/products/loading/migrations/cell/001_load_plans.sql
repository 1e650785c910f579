-- Load plans: what a client asked for, and what came of it. A plan is made before it is stored, and stored with the
-- event that reports it. A store of an older build has the table already.
create table if not exists load_plans (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text check (length(name) between 1 and 200),
  -- 1 when it is made, and one more with each change.
  revision integer not null check (revision >= 1),
  -- JSON: the request as it was read, by which a request that changes nothing is known.
  request text not null,
  -- JSON: what lists and events say.
  summary text not null,
  -- JSON: where each piece lies. Megabytes at the most, and read by nobody who asks for a list.
  detail text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index if not exists load_plans_by_account on load_plans (account_id, id);
