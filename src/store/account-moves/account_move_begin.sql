-- Adds nothing where the account is moving already, or lives there.
--
-- $1 the account · $2 the cell · $3 the time
insert into directory.account_moves (account_id, from_cell, to_cell, begun_at)
select id, cell, $2::smallint, $3::timestamptz
from directory.accounts
where id = $1::uuid and cell <> $2::smallint
on conflict do nothing
