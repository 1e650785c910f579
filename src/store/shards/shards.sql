-- name: shard_guard :many
-- On the server that holds the cell: names its tables and their shards, and guards these against moves.
-- @notnull name shard
select name, shard from cell.guard_shards();
