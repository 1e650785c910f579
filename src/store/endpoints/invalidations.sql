-- name: invalidation_acknowledge :exec
update cell.nodes set seen_change = greatest(seen_change, @number::bigint) where id = @node::integer;

-- name: invalidation_latest :one
-- @notnull number
select number::float8 as number from cell.changes;

-- name: invalidation_publish :one
-- Notifies every node of an endpoint that no statement of endpoints.sql has changed: its account is closed, or failures
-- have disabled it.
--
-- @topic how the notification begins
-- @notnull number
with numbered as (
  update cell.changes set number = number + 1 returning number
)
select number::float8 as number,
  pg_notify('boathook_changes', concat_ws(' ', @topic::text, number, @accountId::uuid, @endpointId::uuid))
from numbered;

-- name: invalidation_unacknowledged :many
-- The nodes, other than @node, that have not acknowledged change @number.
select id from cell.nodes where id <> @node::integer and seen_change < @number::bigint;

-- name: work_notify :exec
-- Notifies every node that something in a cell may be due sooner than it knows.
select pg_notify('boathook_changes', @payload::text);
