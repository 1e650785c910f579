-- The processes whose connections hold locks of the cell's nodes ($1, node_lock.sql), by the name of their sessions
-- (open.ts). The address is empty on a socket of the server's machine.
-- @notnull node process address
select l.objid::integer as node, a.application_name as process, coalesce(host(a.client_addr), '') as address
from pg_locks l
join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory'
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid::bigint = hashtext($1)::bigint & 4294967295
  and l.objsubid = 2
  and l.granted
