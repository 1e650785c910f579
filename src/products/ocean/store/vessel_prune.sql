-- @notnull count
with old as (
  select imo
  from directory.vessels
  where greatest(written_at, polled_at) < $1
  order by imo
  limit $2
  for update skip locked
),
gone as (
  delete from directory.vessels as vessel using old where vessel.imo = old.imo returning vessel.imo
)
select count(*)::integer as count from gone
