-- Feeds that are not known yet are due at once; one that is asked more often than before is due the sooner.
--
-- $1 names, each once · $2 the time · $3 when each would be due had it been asked now
insert into directory.schedule_feeds as feed (name, next_fetch_at)
select name, $2 from unnest($1::text[], $3::timestamptz[]) as wanted (name, due_at) order by name
on conflict (name) do update
set next_fetch_at = (
  select due_at from unnest($1::text[], $3::timestamptz[]) as wanted (name, due_at) where wanted.name = feed.name
)
where feed.next_fetch_at > (
  select due_at from unnest($1::text[], $3::timestamptz[]) as wanted (name, due_at) where wanted.name = feed.name
)
