-- Returns no row when the node has been replaced; else the number of the cell's last change of an endpoint beside each
-- other node, or beside nulls where there is none.
-- @notnull latestChange
with beaten as (
  update cell.nodes n
  set beat = beat + 1, oldest_held = $2::uuid, server = $3::text
  from cell.changes c
  where n.id = $1::integer
  returning c.number::float8 as "latestChange"
)
select beaten."latestChange", other.id, other.beat::float8 as heartbeat, other.server
from beaten
left join cell.nodes as other on other.id <> $1::integer
order by other.id
