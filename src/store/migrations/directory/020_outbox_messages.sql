-- Before all: from here on no older node that still runs writes a message.
alter table outbox drop constraint outbox_pkey;

-- A message for many cells is stored once; `outbox` says for which cells it still waits. Its number counts KiB: what lies
-- between two messages is as large as their numbers are apart.
create table outbox_messages (
  id bigint primary key,
  kind text not null,
  payload text not null,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02);

insert into outbox_messages (id, kind, payload, created_at)
select id, kind, payload, created_at from outbox;

-- By the number first, since pruning asks for the least. No foreign key: its check would scan this table for each
-- message that is pruned.
alter table outbox add primary key (id, cell);

-- They are always null. Older nodes write a message as one row, and find none.
alter table outbox
  alter column kind drop not null,
  alter column payload drop not null,
  alter column created_at drop not null;

update outbox set kind = null, payload = null, created_at = null;

create function store_message_apart() returns trigger
  language plpgsql
  set search_path from current
as $$
begin
  insert into outbox_messages (id, kind, payload, created_at)
  values (new.id, new.kind, new.payload, new.created_at);
  new.kind := null;
  new.payload := null;
  new.created_at := null;
  return new;
end
$$;

create trigger store_message_apart before insert on outbox
  for each row when (new.payload is not null) execute function store_message_apart();
