-- name: writable :one
-- Whether the database answers, and takes writes: neither a standby nor a server or database that was made read-only.
-- @notnull writable
select current_setting('transaction_read_only') = 'off' as writable;
