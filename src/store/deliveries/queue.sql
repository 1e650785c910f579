-- name: queue_clamp :exec
-- Nothing waits for longer than its own rung of the ladder from now on. What is due later than that was
-- written by a clock that ran ahead, or under longer waits.
--
-- @now the time · @waitsMs milliseconds: the wait before the first attempt, before the second, and so on; the
-- last is that of all further ones · @skewMs milliseconds by which the clocks of nodes may differ
update cell.queue q
set due_at = @now::timestamptz + late.wait
from (
  select w.delivery_id, make_interval(secs => w.wait_ms / 1000.0) as wait
  from (
    select q.delivery_id, q.due_at,
      (@waitsMs::double precision[])[least(d.attempt_count + 1, array_length(@waitsMs::double precision[], 1))] as wait_ms
    from cell.queue q
    join cell.deliveries d on d.id = q.delivery_id
    where q.node is null and q.due_at > @now::timestamptz + make_interval(secs => @skewMs::double precision / 1000.0)
  ) w
  where w.due_at > @now::timestamptz + make_interval(secs => (w.wait_ms + @skewMs::double precision) / 1000.0)
) late
where q.delivery_id = late.delivery_id and q.node is null;

-- name: queue_count :many
-- What stands in the queue, by product and by what it waits for.
--
-- @rowsMax the most rows to count
-- @notnull claimed due waiting parked
with counted as (
  select q.endpoint_id,
    count(*) filter (where q.node is not null) as claimed,
    count(*) filter (where q.node is null and q.due_at <= @at::timestamptz) as due,
    count(*) filter (where q.node is null and q.due_at > @at::timestamptz) as waiting,
    min(q.due_at) filter (where q.node is null and q.due_at <= @at::timestamptz) as oldest_due
  from (select endpoint_id, due_at, node from cell.queue limit @rowsMax::integer) q
  group by q.endpoint_id
)
select p.product,
  sum(c.claimed)::float8 as claimed,
  sum(case when p.active then c.due else 0 end)::float8 as due,
  sum(case when p.active then c.waiting else 0 end)::float8 as waiting,
  sum(case when p.active then 0 else c.due + c.waiting end)::float8 as parked,
  min(c.oldest_due) filter (where p.active) as "oldestDue"
from counted c
join cell.endpoints p on p.id = c.endpoint_id
group by p.product;

-- name: queue_drop_orphans :one
-- Removes from the queue what nobody will ever send: deliveries of days before @beforeDay that have ended, or are
-- gone, or whose endpoint is. A result that is written while its node is being replaced can leave such a
-- row behind, and it would keep the day's partition for ever.
--
-- @beforeDay the first day to be left alone · @limit the most to remove at once
-- @notnull count
with orphans as (
  select q.delivery_id
  from cell.queue q
  where q.delivery_id < cell.first_id_of(@beforeDay::date)
    and not exists (
      select
      from cell.deliveries d
      join cell.endpoints p on p.id = d.endpoint_id
      where d.id = q.delivery_id and d.status = 'pending'
    )
  limit @limit::integer
),
gone as (
  delete from cell.queue q using orphans o where q.delivery_id = o.delivery_id
)
select count(*)::integer as count from orphans;

-- name: queue_next_due :many
-- For each endpoint the earliest time at which anything of its queue is due; null when nothing waits.
-- @notnull endpointId
select p.id as "endpointId", (
  select min(q.due_at) from cell.queue q where q.endpoint_id = p.id and q.node is null
) as "dueAt"
from unnest(@endpointIds::uuid[]) as p (id);

-- name: queue_notify :exec
-- Tells every node that endpoints have something due in the queue. @topic how the notice begins
select pg_notify('boathook_changes', concat_ws(' ', @topic::text, array_to_string(@endpointIds::uuid[], ' ')));

-- name: queue_sweep :many
-- Every active endpoint that has something due before @horizon. Jumps from endpoint to endpoint along the
-- index, so that a million deliveries of one endpoint cost as much as one.
-- @notnull endpointId
with recursive waiting as (
  (
    select q.endpoint_id, q.due_at
    from cell.queue q
    where q.node is null
    order by q.endpoint_id, q.due_at
    limit 1
  )
  union all
  select n.endpoint_id, n.due_at
  from waiting w
  cross join lateral (
    select q.endpoint_id, q.due_at
    from cell.queue q
    where q.node is null and q.endpoint_id > w.endpoint_id
    order by q.endpoint_id, q.due_at
    limit 1
  ) as n
)
select w.endpoint_id as "endpointId", w.due_at as "dueAt"
from waiting w
join cell.endpoints p on p.id = w.endpoint_id
where p.active and w.due_at <= @horizon::timestamptz;
