-- One command at a time moves a cell: until the session ends, with the process at the latest.
-- @notnull locked
select pg_try_advisory_lock(hashtext('boathook cells'), $1::integer) as locked
