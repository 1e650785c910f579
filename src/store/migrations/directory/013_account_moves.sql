-- Accounts on their way to another cell (store/moves/move-account.ts). The account lives in `to_cell` once
-- accounts.cell says so, and the row goes when nothing of it is left in `from_cell`.
create table account_moves (
  account_id uuid primary key references accounts (id),
  from_cell smallint not null check (from_cell >= 0),
  to_cell smallint not null check (to_cell >= 0),
  begun_at timestamptz not null,
  check (from_cell <> to_cell)
);
