-- name: invalidation_acknowledge :exec
update cell.nodes set seen_change = greatest(seen_change, @number::bigint) where id = @node::integer;

-- name: invalidation_latest :one
-- @notnull number
select number::float8 as number from cell.changes;

-- name: invalidation_publish :one
-- Numbers a change of an endpoint and notifies every node. The lock on the counter is held until the
-- commit, so that notices arrive in the order of their numbers.
--
-- @node the announcing node, which has taken the change in already
-- @topic how the notice begins
-- @notnull number
with numbered as (
  update cell.changes set number = number + 1 returning number
)
select number::float8 as number,
  pg_notify('boathook_changes', concat_ws(' ', @topic::text, number, @accountId::uuid, @endpointId::uuid, @node::integer))
from numbered;

-- name: invalidation_unacknowledged :many
-- The nodes, other than @node, that have not acknowledged change @number.
select id from cell.nodes where id <> @node::integer and seen_change < @number::bigint;

-- name: work_notify :exec
-- Notifies every node that something in a cell may be due sooner than it knows.
select pg_notify('boathook_changes', @payload::text);
