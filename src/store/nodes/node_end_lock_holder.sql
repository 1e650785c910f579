-- Ends the session that holds a node's lock, unless it is the one that asks. Waits for its end, $2 ms at most.
select pg_terminate_backend(l.pid, $2::bigint) as ended
from pg_locks l
where l.locktype = 'advisory'
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid::bigint = hashtext($3)::bigint & 4294967295
  and l.objid::bigint = $1::integer
  and l.objsubid = 2
  and l.granted
  and l.pid <> pg_backend_pid()
