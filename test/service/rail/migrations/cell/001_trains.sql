create table trains (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  train integer not null,
  departed boolean not null default false
);
