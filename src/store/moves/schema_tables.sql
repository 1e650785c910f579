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
where c.relnamespace = to_regnamespace($1::text) and c.relkind = 'r'
order by c.relname
