-- Whether the database answers, and takes writes.
select not pg_is_in_recovery() as writable
