-- Adds nothing where the cell is there already.
insert into directory.cells (number, server, open, created_at)
values ($1::smallint, $2::text, $3::boolean, $4::timestamptz)
on conflict do nothing
