-- @notnull until
select reliability_until::text as until from cell.schedule_days
