-- Puts all that a node held back into the queue: one that is dead, or that leaves.
--
-- $1 the node · $2 the oldest delivery it may have held since it was raised · $3 the time
-- @notnull count
with unclaimed as (
  update cell.queue set node = null where node = $1::integer
),
lost as (
  update cell.deliveries
  set node = null
  where id >= $2::uuid and node = $1::integer and status = 'pending'
  returning id, endpoint_id
),
queued as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select id, endpoint_id, $3::timestamptz from lost
  -- A delivery is in one place only. One that is in two must not keep a node from being taken over.
  on conflict (delivery_id) do nothing
)
select count(*)::integer as count from lost
