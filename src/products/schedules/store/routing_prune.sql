-- @notnull count
with over as (
  select feed, asked, way
  from cell.routings
  where departure_at < $1
  order by departure_at
  limit $2
  for update skip locked
),
gone as (
  delete from cell.routings as routing
  using over
  where routing.feed = over.feed and routing.asked = over.asked and routing.way = over.way
  returning routing.way
)
select count(*)::integer as count from gone
