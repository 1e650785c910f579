-- Draws a number that no node had before: who draws at the same time waits for the commit.
with numbered as (
  update cell.changes set last_node = last_node + 1 returning last_node, number
)
insert into cell.nodes (id, started_at, oldest_held, server, seen_change, master_keys, build, host, roles)
select last_node, $1::timestamptz, $2::uuid, $3::text, number, $4::bytea, $5::text, $6::text, $7::text from numbered
returning id
