-- Returns no row when the node has been replaced.
update cell.nodes
set beat = beat + 1, oldest_held = $2::uuid
where id = $1::integer
returning id
