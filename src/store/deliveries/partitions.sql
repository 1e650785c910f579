-- name: partition_drop :many
-- @notnull day
select day::text as day from cell.drop_partitions_before(@before::date) as dropped (day);

-- name: partition_lock_timeout :exec
-- `drop_partitions_before` sets it for its own session only, and on Citus the workers do the dropping.
set local lock_timeout = '2s';

-- name: partition_make :one
-- @notnull made
select cell.make_partitions(@fromDay::date, @untilDay::date) as made;

-- name: partition_propagate :exec
-- On Citus, the settings of this transaction are those of its sessions on the workers too. Elsewhere it means nothing.
set local citus.propagate_set_commands = 'local';
