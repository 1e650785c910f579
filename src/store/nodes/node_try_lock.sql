select pg_try_advisory_lock(hashtext('cell.nodes'), $1::integer) as free
