-- @notnull found
select exists (select from directory.ended_sessions where id = $1::text) as found
