-- What the ocean product tracks: one row for each reference of an account, and its polling.
create table shipments (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- As normalised: upper case, letters and digits.
  reference text not null check (length(reference) between 5 and 35),
  identifier_type text check (identifier_type in ('container_id', 'bill_of_lading', 'booking')),
  -- The carrier's SCAC as its client gave it, and as it was found.
  carrier_hint text,
  carrier text,
  status text not null default 'pending',
  eta timestamptz,
  -- The whole of what is known, as JSON; null until a carrier has answered.
  record text,
  -- Null: polling has come to its end. The distant past: asked for, before all that is merely due.
  next_poll_at timestamptz,
  -- Counts the claims; a refresh that was claimed anew by another node matches no row.
  lease integer not null default 0,
  leased_until timestamptz,
  -- Consecutive refreshes without an answer, and why the last one had none.
  failures integer not null default 0 check (failures >= 0),
  failure text,
  refreshed_at timestamptz,
  -- When the end value was first seen.
  ended_at timestamptz,
  created_at timestamptz not null,
  unique (account_id, reference),
  constraint pending_until_answered check ((status = 'pending') = (record is null)),
  constraint an_answer_names_its_carrier check (record is null or carrier is not null)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

create index shipments_by_account on shipments (account_id, id);

-- Claims are fair by carrier; what has no carrier yet is a lane of its own.
create index shipments_due on shipments ((coalesce(carrier, '')), next_poll_at) where next_poll_at is not null;
