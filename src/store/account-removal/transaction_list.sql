-- The transactions that Boathook's sessions have open on the cell's server.
-- @notnull id
select lock.virtualxid as id
from pg_locks as lock
join pg_stat_activity as session on session.pid = lock.pid
where lock.locktype = 'virtualxid'
  and lock.pid <> pg_backend_pid()
  and session.datname = current_database()
  and session.application_name like 'boathook%'
