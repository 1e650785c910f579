-- Writes the reports that are newer than what is known. Rows are locked in one order by all who write several.
--
-- $1 IMO numbers, each once · $2 statuses · $3 when they were seen · $4 the time
insert into directory.vessels as vessel (imo, status, seen_at, written_at)
select imo, status, seen_at, $4
from unnest($1::text[], $2::integer[], $3::timestamptz[]) as report (imo, status, seen_at)
order by imo
on conflict (imo) do update
set status = excluded.status, seen_at = excluded.seen_at, written_at = excluded.written_at
where vessel.seen_at is null or vessel.seen_at < excluded.seen_at
returning imo
