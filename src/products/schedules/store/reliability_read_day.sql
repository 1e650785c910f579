-- @notnull until
select reliability_until::text as until from directory.schedule_days
