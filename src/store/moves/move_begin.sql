update directory.cells
set moving_to = $3::text
where number = $1::smallint and server = $2::text and moved_from is null and coalesce(moving_to, $3) = $3
returning number
