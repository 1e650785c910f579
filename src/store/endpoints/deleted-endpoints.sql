-- name: deleted_endpoint_list :many
-- Endpoints that were deleted before @before: every process that raised or released their deliveries then has ended.
select endpoint_id as "endpointId"
from cell.deleted_endpoints
where deleted_at < @before::timestamptz
order by deleted_at
limit @endpointsAStepMax::integer;

-- name: deleted_endpoint_prune :one
-- Removes part of the history of an endpoint that is gone.
--
-- @deliveriesAStepMax the most to remove at once
-- @notnull count
with doomed as (
  select id from cell.deliveries where endpoint_id = @endpointId::uuid limit @deliveriesAStepMax::integer
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
select count(*)::integer as count from doomed;

-- name: deleted_endpoint_remove :exec
-- The history is gone. What was put into the queue while its delivery was being removed goes as well.
with unqueued as (
  delete from cell.queue where endpoint_id = @endpointId::uuid and node is null
)
delete from cell.deleted_endpoints where endpoint_id = @endpointId::uuid;
