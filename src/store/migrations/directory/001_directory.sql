-- The directory: which account lives in which cell, and whose key is whose. It is small, and read by
-- every request that carries a key. Everything else lives in a cell.

create table accounts (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  entitlements text[] not null default '{}',
  demurrage_alerting boolean not null default false,
  cell smallint not null check (cell >= 0),
  created_at timestamptz not null
);

create table api_keys (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  prefix text not null,
  label text not null default '' check (length(label) <= 200),
  hash bytea not null unique check (length(hash) = 32),
  created_at timestamptz not null,
  revoked_at timestamptz
);

create index api_keys_by_account on api_keys (account_id, id);
