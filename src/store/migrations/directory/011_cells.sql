-- The cells that there are, and where each lives.
create table cells (
  number smallint primary key check (number >= 0),
  -- The name of its server (BOATHOOK_SERVERS); empty: the directory's own, or the one on which Citus put the cell.
  server text not null default '' check (server ~ '^[a-z0-9_-]{0,40}$'),
  -- New accounts go to open cells only.
  open boolean not null default true,
  created_at timestamptz not null
);

create index accounts_by_cell on accounts (cell);
