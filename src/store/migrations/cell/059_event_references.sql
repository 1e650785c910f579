-- What events say of shipments, lanes, sailings and plans, to be found by: letters and digits in upper case
-- (model/references.ts). Cut by the day of the event, and dropped with its partition.
create table event_references (
  account_id uuid not null,
  reference text collate "C" not null,
  event_id uuid not null
) partition by range (event_id);

-- The only index, for every event pays for it: the operator, who asks without an account, asks for each of them.
create index event_references_by_account on event_references (account_id, reference, event_id);

create or replace function make_partitions(from_day date, to_day date) returns integer
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
    -- Deliveries last: a day that has them has the others.
    foreach parent in array array['event_references', 'events', 'attempts', 'deliveries'] loop
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

create or replace function drop_partitions_before(before_day date) returns setof date
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
    execute format('drop table if exists %I', 'attempts_p' || to_char(day, 'YYYYMMDD'));
    return next day;
  end loop;
  for day in select d from days_of('events') d where d < before_day - 1 order by d loop
    continue when exists (select from days_of('deliveries') d where d in (day, day + 1));
    execute format('drop table %I', 'events_p' || to_char(day, 'YYYYMMDD'));
    execute format('drop table if exists %I', 'event_references_p' || to_char(day, 'YYYYMMDD'));
  end loop;
end
$$;

do $$
declare
  day date;
begin
  foreach day in array array(select days_of('events')) loop
    perform make_partitions(day, day + 1);
  end loop;
end
$$;
