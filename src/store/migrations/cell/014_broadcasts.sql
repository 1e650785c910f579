-- What every account with an endpoint that takes it is to be told (producers/broadcasts/broadcaster.ts). A row is
-- written with the change of state that caused it, and goes with the events of the last accounts.
create table broadcasts (
  id uuid primary key,
  product text not null,
  type text not null,
  -- JSON, sent byte for byte.
  data text not null,
  occurred_at timestamptz not null,
  -- Each of the events carries it.
  dedup_key text not null check (length(dedup_key) between 1 and 500),
  -- Accounts up to this one, by id, have been told; null: none has.
  told_up_to uuid,
  constraint broadcast_once unique (product, dedup_key)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

-- Who is to be told is found without those who take other products.
create index endpoints_by_product on endpoints (product, account_id) where active;
