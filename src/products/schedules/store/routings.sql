-- name: routing_list :many
-- Published ways between two ports, in the order of their departures.
--
-- @fromMs and @beforeMs departures from, and before
select carrier, legs
from cell.routings
where origin = @origin and destination = @destination and departure_at >= @fromMs and departure_at < @beforeMs and carrier = any (@carriers::text[])
order by departure_at, way
limit @limit;

-- name: routing_prune :one
-- @notnull count
with over as (
  select feed, asked, way
  from cell.routings
  where departure_at < @before
  order by departure_at
  limit @limit
  for update skip locked
),
gone as (
  delete from cell.routings as routing
  using over
  where routing.feed = over.feed and routing.asked = over.asked and routing.way = over.way
  returning routing.way
)
select count(*)::integer as count from gone;

-- name: routing_put :exec
-- @asked what the feed was asked
insert into cell.routings (feed, asked, carrier, way, origin, destination, departure_at, legs, updated_at)
select @feed, @asked, @carrier, way, origin, destination, departure_at, legs, @at
from @ways (way text, origin text, destination text, departure_at timestamptz, legs text) as published
on conflict (feed, asked, way) do update
set departure_at = excluded.departure_at, legs = excluded.legs, updated_at = excluded.updated_at;

-- name: routing_withdraw :exec
-- What a feed no longer publishes: @feed the feed · @asked what it was asked · @at published before
delete from cell.routings where feed = @feed and asked = @asked and updated_at < @at;
