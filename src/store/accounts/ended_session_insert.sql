-- Sessions that are over by now need not be known any more.
--
-- $1 the session · $2 when it ends by itself · $3 the time
with over as (
  delete from directory.ended_sessions where ends_at < $3::timestamptz
)
insert into directory.ended_sessions (id, ends_at)
values ($1::text, $2::timestamptz)
on conflict (id) do nothing
