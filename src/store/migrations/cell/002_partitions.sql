-- Events and deliveries are cut by the day of their id. An id is a UUIDv7 (RFC 9562), whose first 48
-- bits are milliseconds since 1970, so a day is a range of ids. Days are those of UTC.

create function first_id_of(day date) returns uuid
  language sql immutable strict parallel safe
  return (lpad(to_hex((day - date '1970-01-01')::bigint * 86400000), 12, '0') || repeat('0', 20))::uuid;

-- The days for which a table has a partition.
create function days_of(parent text) returns setof date
  language sql stable
  set search_path from current
as $$
  select to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass(quote_ident(current_schema) || '.' || quote_ident(parent))
    and c.relname ~ '_p[0-9]{8}$'
$$;

-- Makes the partitions of the days in [from_day, to_day) that are not there yet; says how many it made.
-- Of two sessions at once the second waits for the first. A partition is made apart and then attached,
-- which lets statements on the other partitions go on, where CREATE … PARTITION OF would stop them all.
create function make_partitions(from_day date, to_day date) returns integer
  language plpgsql
  set search_path from current
as $$
declare
  made integer := 0;
  parent text;
  part text;
  day date;
begin
  -- Too far apart is a caller's mistake, and would be thousands of tables.
  if to_day - from_day > 1000 then
    raise exception 'too many partitions at once: % to %', from_day, to_day;
  end if;
  perform pg_advisory_xact_lock(hashtext('partitions'), hashtext(current_schema));
  for i in 0 .. to_day - from_day - 1 loop
    day := from_day + i;
    foreach parent in array array['events', 'deliveries'] loop
      part := parent || '_p' || to_char(day, 'YYYYMMDD');
      continue when to_regclass(quote_ident(current_schema) || '.' || quote_ident(part)) is not null;
      execute format('create table %I (like %I including all)', part, parent);
      if parent = 'deliveries' then
        -- A row is inserted once and updated once, soon after: half of each page is kept for that. By
        -- share of the table, vacuum would come ever more rarely as the day grows.
        execute format(
          'alter table %I set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05,'
          ' autovacuum_vacuum_insert_scale_factor = 0.2, autovacuum_analyze_scale_factor = 0.1)', part);
      end if;
      execute format('alter table %I attach partition %I for values from (%L) to (%L)',
        parent, part, first_id_of(day), first_id_of(day + 1));
      made := made + 1;
    end loop;
  end loop;
  return made;
end
$$;

-- Drops the partitions of days before the given one, unless a delivery of that day still waits in the
-- queue; says which days' deliveries it dropped. The events of a day stay a day longer, for a delivery
-- that was written just after midnight.
--
-- Dropping locks the whole table for a moment. A statement that lasts would hold up the drop, and the
-- drop everybody else: after lock_timeout it gives up, and the caller comes again later.
create function drop_partitions_before(before_day date) returns setof date
  language plpgsql
  set search_path from current
  set lock_timeout = '2s'
as $$
declare
  day date;
begin
  perform pg_advisory_xact_lock(hashtext('partitions'), hashtext(current_schema));
  for day in select d from days_of('deliveries') d where d < before_day order by d loop
    continue when exists (
      select from queue where delivery_id >= first_id_of(day) and delivery_id < first_id_of(day + 1)
    );
    execute format('drop table %I', 'deliveries_p' || to_char(day, 'YYYYMMDD'));
    return next day;
  end loop;
  for day in select d from days_of('events') d where d < before_day - 1 order by d loop
    continue when exists (select from days_of('deliveries') d where d in (day, day + 1));
    execute format('drop table %I', 'events_p' || to_char(day, 'YYYYMMDD'));
  end loop;
end
$$;
