-- name: cell_insert :exec
-- Adds nothing where there is a cell of that number already.
insert into directory.cells (number, open, created_at, kind)
values (@number::smallint, @open::boolean, @at::timestamptz, @kind)
on conflict do nothing;

-- name: cell_join :exec
-- References fall to the open cells of accounts that have joined by @at: every node uses those.
update directory.cells set joined_at = @at::timestamptz where joined_at is null and open and kind = 'cell';

-- name: cell_list :many
-- By number, with the number of accounts that live there. `nth`: among those of its kind, from 0.
-- @notnull nth
select kind, (row_number() over (partition by kind order by number))::integer - 1 as nth, number, open, accounts
from directory.cells
order by number;

-- name: cell_open :many
update directory.cells set open = @open::boolean where number = @number::smallint and kind = 'cell' returning number;
