-- What has happened to an endpoint or a delivery, written in the transaction in which it happens, until an event says it
-- (store/reports/).
create table reports (
  at timestamptz not null,
  kind text not null check (
    kind in ('endpoint_failing', 'endpoint_disabled', 'endpoint_recovered', 'delivery_dead')
  ),
  -- The endpoint, or the delivery.
  subject uuid not null,
  account_id uuid not null references accounts (id) on delete cascade,
  endpoint_id uuid not null,
  -- The endpoint's consecutive failures then, since when it had them, and the last of them.
  failure_count integer not null,
  failing_since timestamptz,
  error text,
  primary key (at, kind, subject)
);

-- What was reported of it last, and since when: one that is active again counts as disabled until it works.
alter table endpoints
  add column condition text not null default 'working' check (condition in ('working', 'failing', 'disabled')),
  add column condition_since timestamptz;
