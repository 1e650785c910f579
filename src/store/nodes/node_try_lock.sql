-- @notnull free
select pg_try_advisory_lock(hashtext($2), $1::integer) as free
