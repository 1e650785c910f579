-- Writes the reports that are newer than what is known. Rows are locked in one order by all who write several.
--
-- $1 IMO numbers, each once · $2 statuses · $3 when they were seen · $4 the time · $5, $6 where · $7 courses
insert into directory.vessels as vessel (imo, status, seen_at, written_at, latitude, longitude, course)
select imo, status, seen_at, $4, latitude, longitude, course
from unnest($1::text[], $2::integer[], $3::timestamptz[], $5::float8[], $6::float8[], $7::float8[])
  as report (imo, status, seen_at, latitude, longitude, course)
order by imo
on conflict (imo) do update
set status = excluded.status, seen_at = excluded.seen_at, written_at = excluded.written_at,
    latitude = excluded.latitude, longitude = excluded.longitude, course = excluded.course
where vessel.seen_at is null or vessel.seen_at < excluded.seen_at
returning imo
