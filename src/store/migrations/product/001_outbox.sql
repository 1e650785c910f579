-- What every cell of a product has beside its record (products/*/migrations/record).

-- As the directory's (migrations/directory): what this cell's transactions say to cells of accounts.
create table outbox (
  -- The order in which it was written.
  id bigint primary key,
  cell smallint not null check (cell >= 0),
  -- Who applies it.
  kind text not null,
  payload text not null,
  created_at timestamptz not null,
  -- Later than now while a node applies it, and for a while after it has failed.
  due_at timestamptz not null
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create index outbox_by_cell on outbox (cell, id);

create table outbox_numbers (
  only_row boolean primary key default true check (only_row),
  last bigint not null check (last >= 0)
);

insert into outbox_numbers (last) values (0);

-- As those of a cell of accounts (migrations/cell/020_distributed.sql).
create or replace function refuse_moved() returns trigger
  language plpgsql
as $$
begin
  -- Once a transaction; a savepoint that is rolled back gives up the lock, and this with it.
  if current_setting('boathook.guarded', true) = tg_table_schema then
    return null;
  end if;
  -- As Citus's own statements do; 5 is a ShareLock. It is one lock for all tables of the cell.
  perform lock_shard_metadata(5, array[tg_argv[0]::bigint]);
  -- A statement of its own, which sees what was committed during the wait.
  if not exists (
    select
    from pg_dist_placement placement
    join pg_dist_local_group here on here.groupid = placement.groupid
    where placement.shardid = tg_argv[0]::bigint
  ) then
    raise exception 'the cell % has moved to another server', tg_table_schema using errcode = 'BHMOV';
  end if;
  perform set_config('boathook.guarded', tg_table_schema, true);
  return null;
end
$$;

-- The tables whose shards are here, guarded against moves from now on. None where the cell is no distributed schema, or
-- is one on another server.
create or replace function guard_shards() returns table (name text, shard text)
  language plpgsql
  set search_path from current
as $$
begin
  if to_regclass('pg_catalog.pg_dist_shard') is null then
    return;
  end if;
  -- Of two sessions at once the second waits for the first.
  perform pg_advisory_xact_lock(hashtext('shards'), hashtext(current_schema));
  for name, shard in
    select c.relname, c.relname || '_' || s.shardid
    from pg_dist_shard s
    join pg_class c on c.oid = s.logicalrelid
    join pg_dist_placement p on p.shardid = s.shardid
    join pg_dist_local_group here on here.groupid = p.groupid
    where c.relnamespace = current_schema::regnamespace and not c.relispartition
    order by c.relname
  loop
    if not exists (select from pg_trigger where tgrelid = to_regclass(shard) and tgname = 'refuse_moved') then
      execute format(
        'create trigger refuse_moved before insert or update or delete on %I'
        ' for each statement execute function refuse_moved(%L)', shard, substring(shard from '[0-9]+$'));
    end if;
    return next;
  end loop;
end
$$;
