-- The exact time of the last success, for endpoints whose later successes were not written one by one.
update cell.endpoints p
set last_delivery_at = greatest(p.last_delivery_at, t.last_delivery_at), failure_count = 0, failing_since = null
from unnest($1::uuid[], $2::timestamptz[]) as t (id, last_delivery_at)
where p.id = t.id
