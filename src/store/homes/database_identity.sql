-- Tells a running database from every other, from its copies on other servers too, whatever name leads to it.
-- @notnull identity
select concat_ws(
  ' ',
  (select system_identifier from pg_control_system()),
  oid,
  extract(epoch from pg_postmaster_start_time())
) as identity
from pg_database
where datname = current_database()
