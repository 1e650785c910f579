insert into cell.nodes (started_at, oldest_held, seen_change)
select $1::timestamptz, $2::uuid, c.number from cell.changes c
returning id
