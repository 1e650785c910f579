-- name: vessel_claim_poll :many
-- Claims those of these vessels that this node polls: none was polled or reported lately. Those polled longest ago
-- come first.
--
-- @imos IMO numbers · @since since when is lately
-- @notnull imo
with due as (
  select wanted.imo
  from unnest(@imos::text[]) as wanted (imo)
  left join directory.vessels as vessel on vessel.imo = wanted.imo
  where (vessel.polled_at is null or vessel.polled_at <= @since)
    and (vessel.written_at is null or vessel.written_at <= @since)
  order by vessel.polled_at nulls first, wanted.imo
  limit @limit
)
insert into directory.vessels as vessel (imo, polled_at)
select imo, @at from due order by imo
on conflict (imo) do update
set polled_at = excluded.polled_at
-- Another node may have claimed it since.
where vessel.polled_at is null or vessel.polled_at <= @since
returning imo;

-- name: vessel_list_to_poll :many
-- The vessels that bring tracked boxes somewhere about now.
-- @notnull imo
select distinct imo
from cell.shipments
cross join lateral unnest(vessels) as aboard (imo)
where vessels_from <= @at and vessels_until > @at
limit @limit;

-- name: vessel_positions :many
-- Where these vessels were by their last reports; a report without a position is left out.
-- @notnull status seenAt latitude longitude
select imo, status, seen_at as "seenAt", latitude, longitude, course
from directory.vessels
where imo = any (@imos::text[]) and seen_at is not null and latitude is not null;

-- name: vessel_prune :one
-- @notnull count
with old as (
  select imo
  from directory.vessels
  where greatest(written_at, polled_at) < @before
  order by imo
  limit @limit
  for update skip locked
),
gone as (
  delete from directory.vessels as vessel using old where vessel.imo = old.imo returning vessel.imo
)
select count(*)::integer as count from gone;

-- name: vessel_report_list :many
-- @written written since · @seen seen since
-- @notnull status seenAt
select imo, status, seen_at as "seenAt"
from directory.vessels
where written_at >= @written and seen_at >= @seen
order by seen_at desc
limit @limit;

-- name: vessel_report_upsert :many
-- Writes the reports that are newer than what is known. Rows are locked in one order by all who write several.
-- Each vessel once.
insert into directory.vessels as vessel (imo, status, seen_at, written_at, latitude, longitude, course)
select imo, status, seen_at, @at, latitude, longitude, course
from @reports (
  imo text, status integer, seen_at timestamptz, latitude float8 null, longitude float8 null,
  course float8 null
) as report
order by imo
on conflict (imo) do update
set status = excluded.status, seen_at = excluded.seen_at, written_at = excluded.written_at,
    latitude = excluded.latitude, longitude = excluded.longitude, course = excluded.course
where vessel.seen_at is null or vessel.seen_at < excluded.seen_at
returning imo;
