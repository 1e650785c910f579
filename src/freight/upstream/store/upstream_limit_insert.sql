-- $1 sources · $2 windows in ms · $3 the node · $4 its time
insert into directory.upstream_limits (source, window_ms, told_at, leased_until, holder)
select a.source, a.window_ms, $4::float8, $4::float8, $3::uuid
from unnest($1::text[], $2::integer[]) as a (source, window_ms)
on conflict (source, window_ms) do nothing
