-- What changes in the directory, in the order of the commits: nodes that remember accounts and keys read it.

-- Whoever writes a change holds this row until its commit.
create table last_change (
  only_row boolean primary key default true check (only_row),
  number bigint not null check (number >= 0)
);

insert into last_change (number) values (0);

-- The numbers have no gaps, but for old rows, which are pruned.
create table changes (
  number bigint primary key,
  kind text not null check (kind in ('key', 'account', 'cell')),
  -- The id of a key or an account, the number of a cell.
  subject text not null,
  changed_at timestamptz not null
);
