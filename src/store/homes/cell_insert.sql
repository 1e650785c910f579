-- Adds nothing where there is a cell of that number already.
insert into directory.cells (number, server, open, created_at, kind)
values ($1::smallint, $2::text, $3::boolean, $4::timestamptz, $5)
on conflict do nothing
