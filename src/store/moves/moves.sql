-- name: cell_lock :one
-- One command at a time moves a cell: until the session ends, with the process at the latest.
-- @notnull locked
select pg_try_advisory_lock(hashtext('boathook cells'), @key::integer) as locked;

-- name: schema_functions :many
-- The functions of a schema that look for tables in a schema by its name, as `alter function` names them.
-- @notnull name
select f.oid::regprocedure::text as name
from pg_proc f
where f.pronamespace = to_regnamespace(@schema::text)
  and exists (select from unnest(f.proconfig) as setting (text) where setting.text like 'search\_path=%')
order by 1;

-- name: schema_sequences :many
-- The sequences of a schema that have been drawn from.
-- @notnull name value
select sequencename::text as name, last_value::text as value
from pg_sequences
where schemaname = @schema::text and last_value is not null
order by 1;

-- name: schema_tables :many
-- The tables of a schema that hold rows, with what it takes to make and fill them again: `bound` and `options` of a
-- partition, and the tables that its rows refer to.
-- @notnull name columns needs hasTriggers
select c.relname::text as name, p.relname::text as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
  array_to_string(c.reloptions, ', ') as options,
  (
    select array_agg(quote_ident(a.attname) order by a.attnum)
    from pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  ) as columns,
  coalesce((
    select array_agg(distinct f.relname::text)
    from pg_constraint k
    join pg_class f on f.oid = k.confrelid
    where k.contype = 'f' and k.conrelid in (c.oid, p.oid) and k.confrelid <> k.conrelid
  ), '{}') as needs,
  exists (select from pg_trigger g where g.tgrelid = c.oid and not g.tgisinternal) as "hasTriggers"
from pg_class c
left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
left join pg_class p on p.oid = i.inhparent
where c.relnamespace = to_regnamespace(@schema::text) and c.relkind = 'r'
order by c.relname;

-- name: schema_there :one
-- @notnull there
select to_regnamespace(@schema::text) is not null as there;

-- name: store_identity :one
-- Two copies of one store have it in common.
-- @notnull identity
select min(created_at)::text as identity from directory.cells;

-- name: store_sessions :one
-- The processes of Boathook that use this database, by the names of their sessions (open.ts).
-- @notnull count
select count(distinct application_name)::integer as count
from pg_stat_activity
where datname = current_database() and application_name ~ '^boathook [0-9]+ [0-9]+$';
