-- Writes the results of attempts. A delivery is settled only by the node that holds it, either since it was raised
-- (deliveries.node) or by a claim (queue.node); the late write of a node that was replaced matches nothing, nor does a
-- result that was written before: a batch that is sent again after a lost answer finds the attempt counted, even where
-- the node has claimed the delivery for its next one. Endpoints are counted only if anything was settled, so that such
-- a batch does not count twice. The 20th failure in a row makes an endpoint inactive (spec 3.2: disabled; 8: disable),
-- if the first of them is as old as $18 says. Failures are as old as their batch.
--
-- $1 the node · $2 to $9 deliveries · $10 to $15 what the batch means to each endpoint, in the order
-- of their ids (the order in which rows are locked) · $16 the time · $17 the failures that disable
-- $18 when they have begun at the latest · $19 to $26 the attempts of them that failed
-- @notnull disabled
with present as (
  -- Until the commit: who takes the node over locks its row first. What a settlement reads of the queue is
  -- older than its own wait for a lock, and another node may have claimed the row since.
  select id from cell.nodes where id = $1::integer for key share
),
settled as (
  update cell.deliveries d
  set status = s.status,
      attempt_count = s.attempt_count,
      last_status_code = s.last_status_code,
      last_error = s.last_error,
      delivered_at = s.delivered_at,
      node = null
  from unnest($2::uuid[], $3::text[], $4::integer[], $5::integer[], $6::text[], $7::timestamptz[],
      $8::timestamptz[])
    as s (id, status, attempt_count, last_status_code, last_error, delivered_at, due_at)
  where exists (select from present)
    and d.id = s.id
    and d.status = 'pending'
    and d.attempt_count < s.attempt_count
    and (
      d.node = $1::integer
      -- A scalar, which is looked up row by row; `exists` would read everything the node has claimed.
      or (select true from cell.queue q where q.delivery_id = s.id and q.node = $1::integer)
    )
  returning d.id, d.endpoint_id, d.status, s.due_at
),
failed as (
  insert into cell.attempts
    (delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes)
  select f.id, f.number, f.ended_at, f.duration_ms, f.address, f.status_code, f.error, f.answer_bytes
  from unnest($19::uuid[], $20::integer[], $21::timestamptz[], $22::integer[], $23::text[], $24::integer[],
      $25::text[], $26::integer[])
    as f (id, number, ended_at, duration_ms, address, status_code, error, answer_bytes)
  where f.id in (select id from settled)
  on conflict do nothing
),
waiting as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select id, endpoint_id, due_at from settled where status = 'pending'
  on conflict (delivery_id) do update set due_at = excluded.due_at, node = null
),
done as (
  -- $9: those of the batch that came by a claim and need no further attempt
  delete from cell.queue q
  using unnest($9::uuid[]) as c (id)
  where q.delivery_id = c.id and q.node = $1::integer
),
counted as (
  update cell.endpoints p
  set failure_count = t.streak + case when t.delivered then 0 else p.failure_count end,
      failing_since = case
        when t.streak = 0 and t.delivered then null
        when t.delivered or p.failure_count = 0 then $16::timestamptz
        else coalesce(p.failing_since, $16::timestamptz)
      end,
      last_delivery_at = greatest(p.last_delivery_at, t.last_delivery_at),
      active = p.active and not (
        t.ran or p.failure_count >= t.enough and coalesce(p.failing_since, $16::timestamptz) <= $18::timestamptz
      ),
      disabled_reason = case
        when not p.active then p.disabled_reason
        when t.ran or p.failure_count >= t.enough and coalesce(p.failing_since, $16::timestamptz) <= $18::timestamptz
          then 'failures'
      end,
      inactive_since = case
        when not p.active then p.inactive_since
        when t.ran or p.failure_count >= t.enough and coalesce(p.failing_since, $16::timestamptz) <= $18::timestamptz
          then $16::timestamptz
      end
  from (
    -- `ran`: failures enough between two successes · `enough`: failures before the batch that make those enough
    select id, delivered, streak, last_delivery_at, $17::integer - carried as enough,
      longest >= $17::integer and $18::timestamptz >= $16::timestamptz as ran
    from unnest($10::uuid[], $11::boolean[], $12::integer[], $13::integer[], $14::integer[],
        $15::timestamptz[])
      as t (id, delivered, carried, longest, streak, last_delivery_at)
  ) t
  where p.id = t.id and exists (select from settled)
  returning p.id, p.account_id, p.product, p.active, p.failure_count, p.inactive_since
),
rerouted as (
  update cell.accounts a
  set routing_version = a.routing_version + 1
  where a.id in (select c.account_id from counted c where c.inactive_since = $16::timestamptz)
)
select c.id, c.account_id as "accountId", c.product, c.failure_count as "failureCount",
  not c.active and c.inactive_since = $16::timestamptz as "disabled"
from counted c
where c.failure_count > 0 or not c.active
