select pg_advisory_unlock(hashtext('cell.nodes'), $1::integer)
