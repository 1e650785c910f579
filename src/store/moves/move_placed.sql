-- From now on the cell lives on its new server.
update directory.cells
set server = moving_to, moved_from = server, moving_to = null
where number = $1::smallint and server = $2::text and moving_to = $3::text
returning number
