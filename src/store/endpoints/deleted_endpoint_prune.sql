-- Removes part of the history of an endpoint that is gone.
--
-- $1 the endpoint · $2 the most to remove at once
-- @notnull count
with doomed as (
  select id from cell.deliveries where endpoint_id = $1::uuid limit $2::integer
),
removed as (
  delete from cell.deliveries d using doomed where d.id = doomed.id
),
forgotten as (
  delete from cell.attempts a using doomed where a.delivery_id = doomed.id
),
unqueued as (
  delete from cell.queue q using doomed where q.delivery_id = doomed.id
)
select count(*)::integer as count from doomed
