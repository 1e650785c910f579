-- Leases turns of limits: each limit's follow those leased before. All limits of a source, or none: a request
-- needs a turn of each, at one time.
--
-- $1 sources · $2 windows in ms · $3 ms between turns · $4 how long before its turn a request may leave
-- $5 no request leaves before · $6 turns wanted · $7 how long the first may take · $8 how far ahead the last may be
-- $9 the node · $10 its time · $11 how long another node counts
-- @notnull toldAt leavesAt fromMs toMs isShared
with asked as (
  select *
  from unnest(
    $1::text[], $2::integer[], $3::float8[], $4::float8[], $5::float8[], $6::integer[], $7::float8[], $8::float8[]
  ) as a (source, window_ms, interval_ms, early_ms, not_before, turns, wait_ms, ahead_ms)
),
known as (
  select a.*, l.leased_until, l.holder,
    greatest(l.told_at, $10::float8) as now_ms,
    greatest(l.leased_until, l.told_at, $10::float8, a.not_before) as starts_at,
    case when l.holder = $9::uuid then l.contended_at else greatest(l.told_at, $10::float8) end as contended_at
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
      when j.leaves_at > j.latest_ms + j.wait_ms then 0
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
  holder = case when g.count = 0 then g.holder else $9::uuid end,
  contended_at = g.contended_at
from granted g
where l.source = g.source and l.window_ms = g.window_ms
returning l.source, l.window_ms as "windowMs", l.told_at as "toldAt", g.leaves_at as "leavesAt",
  g.from_ms as "fromMs", g.from_ms + g.count * g.interval_ms as "toMs",
  coalesce(l.contended_at > l.told_at - $11::float8, false) as "isShared"
