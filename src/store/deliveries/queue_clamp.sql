-- Nothing waits for longer than its own rung of the ladder from now on. What is due later than that was
-- written by a clock that ran ahead, or under longer waits.
--
-- $1 the time · $2 milliseconds: the wait before the first attempt, before the second, and so on; the
-- last is that of all further ones · $3 milliseconds by which the clocks of nodes may differ
update cell.queue q
set due_at = $1::timestamptz + late.wait
from (
  select w.delivery_id, make_interval(secs => w.wait_ms / 1000.0) as wait
  from (
    select q.delivery_id, q.due_at,
      ($2::double precision[])[least(d.attempt_count + 1, array_length($2::double precision[], 1))] as wait_ms
    from cell.queue q
    join cell.deliveries d on d.id = q.delivery_id
    where q.node is null and q.due_at > $1::timestamptz + make_interval(secs => $3::double precision / 1000.0)
  ) w
  where w.due_at > $1::timestamptz + make_interval(secs => (w.wait_ms + $3::double precision) / 1000.0)
) late
where q.delivery_id = late.delivery_id and q.node is null
