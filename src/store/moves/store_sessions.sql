-- The processes of Boathook that use this database, by the names of their sessions (open.ts).
-- @notnull count
select count(distinct application_name)::integer as count
from pg_stat_activity
where datname = current_database() and application_name ~ '^boathook [0-9]+ [0-9]+$'
