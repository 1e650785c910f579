-- Adds nothing where there is a cell of that number already.
insert into directory.cells (number, open, created_at, kind)
values ($1::smallint, $2::boolean, $3::timestamptz, $4)
on conflict do nothing
