select pg_advisory_unlock(hashtext($2), $1::integer)
