-- The functions of a schema that look for tables in a schema by its name, as `alter function` names them.
-- @notnull name
select f.oid::regprocedure::text as name
from pg_proc f
where f.pronamespace = to_regnamespace($1::text)
  and exists (select from unnest(f.proconfig) as setting (text) where setting.text like 'search\_path=%')
order by 1
