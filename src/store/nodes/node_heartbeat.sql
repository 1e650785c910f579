-- Returns no row when the node has been replaced; else the number of the cell's last change of an endpoint.
-- @notnull latestChange
update cell.nodes n
set beat = beat + 1, oldest_held = $2::uuid
from cell.changes c
where n.id = $1::integer
returning c.number::float8 as "latestChange"
