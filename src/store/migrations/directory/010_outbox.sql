-- What the directory's transactions say to cells (store/outbox/forwarder.ts): written with the change that causes it,
-- applied in the cell, then deleted.
create table outbox (
  -- The order in which it was written: of rows that are written under one lock, the later has the greater number.
  id bigint generated always as identity primary key,
  cell smallint not null check (cell >= 0),
  -- Who applies it.
  kind text not null,
  payload text not null,
  created_at timestamptz not null,
  -- Later than now while a node applies it, and for a while after it has failed.
  due_at timestamptz not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create index outbox_by_cell on outbox (cell, id);
