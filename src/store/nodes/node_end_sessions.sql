-- Ends the sessions of the process whose connection holds the node's lock, and with them its running
-- statements: a process that is frozen in the middle of a statement, or of reading its answer, would
-- otherwise keep the locks of that statement for as long as it is frozen. Waits for their end, $2 ms each
-- at most. A process is known by the name of its sessions (open.ts).
with process as (
  select a.application_name
  from pg_locks l
  join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'advisory'
    and l.database = (select oid from pg_database where datname = current_database())
    and l.classid::bigint = hashtext($3)::bigint & 4294967295
    and l.objid::bigint = $1::integer
    and l.objsubid = 2
    and l.granted
)
select pg_terminate_backend(a.pid, $2::bigint) as ended
from pg_stat_activity a
join process p on p.application_name = a.application_name
where a.application_name like 'boathook %'
  and a.datname = current_database()
  and a.pid <> pg_backend_pid()
