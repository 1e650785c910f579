-- Cells that were there before this list lie beside the directory. Listed among further servers, they would be made there
-- anew, and empty.
insert into cells (number, created_at)
select number, now()
from generate_series(0, 255) number
where to_regnamespace(current_schema || '_cell_' || number) is not null
on conflict do nothing;

-- Counted as accounts come, move and go: every node lists the cells every few seconds, and each new account goes to the
-- emptiest.
alter table cells add column accounts integer not null default 0;

update cells set accounts = (select count(*) from accounts where cell = number);

create function count_accounts() returns trigger
  language plpgsql
  set search_path from current
as $$
begin
  -- In one order, for accounts that move to and fro at the same time.
  perform from cells where number in (old.cell, new.cell) order by number for update;
  update cells set accounts = accounts - 1 where number = old.cell;
  update cells set accounts = accounts + 1 where number = new.cell;
  return null;
end
$$;

create trigger count_accounts after insert or delete or update of cell on accounts
  for each row execute function count_accounts();

drop index accounts_by_cell;
