-- $1 the source · $2 the node's time · $3 until when
insert into directory.upstream_pauses as p (source, told_at, paused_until)
values ($1::text, $2::float8, $3::float8)
on conflict (source) do update
set told_at = greatest(p.told_at, excluded.told_at), paused_until = greatest(p.paused_until, excluded.paused_until)
