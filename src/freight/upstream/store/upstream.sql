-- name: upstream_limit_insert :exec
-- @nowMs the node's time
insert into directory.upstream_limits (source, window_ms, told_at, leased_until, holder)
select a.source, a.window_ms, @nowMs::float8, @nowMs::float8, @node::uuid
from @limits (source text, window_ms integer) as a
on conflict (source, window_ms) do nothing;

-- name: upstream_limit_lease :many
-- Leases turns of limits: each limit's follow those leased before. All limits of a source, or none: a request
-- needs a turn of each, at one time.
--
-- @nowMs the node's time · @sharedMs how long another node counts
-- @notnull toldAt leavesAt fromMs toMs isShared
with asked as (
  select *
  from @limits (
    source text, window_ms integer, interval_ms float8, early_ms float8, not_before_ms float8, turns integer,
    wait_ms_max float8, ahead_ms float8
  ) as a
),
known as (
  select a.*, l.leased_until, l.holder,
    greatest(l.told_at, @nowMs::float8) as now_ms,
    greatest(l.leased_until, l.told_at, @nowMs::float8, a.not_before_ms) as starts_at,
    case when l.holder = @node::uuid then l.contended_at else greatest(l.told_at, @nowMs::float8) end as contended_at
  from asked a
  join directory.upstream_limits l on l.source = a.source and l.window_ms = a.window_ms
  order by a.source, a.window_ms
  for update of l
),
joined as (
  select k.*, max(k.starts_at - k.early_ms) over (partition by k.source) as leaves_at,
    max(k.now_ms) over (partition by k.source) as latest_ms
  from known k
),
granted as (
  select j.*, greatest(j.starts_at, j.leaves_at) as from_ms,
    case
      when j.leaves_at > j.latest_ms + j.wait_ms_max then 0
      else least(
        j.turns,
        1 + floor(greatest(0, j.leaves_at + j.ahead_ms + j.early_ms - greatest(j.starts_at, j.leaves_at)) / j.interval_ms)
      )
    end as count
  from joined j
)
update directory.upstream_limits l
set told_at = g.now_ms,
  leased_until = case when g.count = 0 then g.leased_until else g.from_ms + g.count * g.interval_ms end,
  holder = case when g.count = 0 then g.holder else @node::uuid end,
  contended_at = g.contended_at
from granted g
where l.source = g.source and l.window_ms = g.window_ms
returning l.source, l.window_ms as "windowMs", l.told_at as "toldAt", g.leaves_at as "leavesAt",
  g.from_ms as "fromMs", g.from_ms + g.count * g.interval_ms as "toMs",
  coalesce(l.contended_at > l.told_at - @sharedMs::float8, false) as "isShared";

-- name: upstream_limit_list :many
-- How far the limits of sources are leased, and when another node than the last one asked for turns.
select source, window_ms as "windowMs", told_at as "toldAt", leased_until as "leasedUntil", contended_at as "contendedAt"
from directory.upstream_limits
where source = any (@sources::text[]);

-- name: upstream_pause :exec
-- A source wants no request until then; a pause never gets shorter.
-- @nowMs the node's time · @untilMs until when
insert into directory.upstream_pauses as p (source, told_at, paused_until)
values (@source::text, @nowMs::float8, @untilMs::float8)
on conflict (source) do update
set told_at = greatest(p.told_at, excluded.told_at), paused_until = greatest(p.paused_until, excluded.paused_until);

-- name: upstream_pause_list :many
-- The pauses that end after a time.
-- @afterMs pauses that end after it
select source, told_at as "toldAt", paused_until as "pausedUntil"
from directory.upstream_pauses
where paused_until > @afterMs::float8;
