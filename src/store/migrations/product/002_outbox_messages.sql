-- As the directory's (migrations/directory/020_outbox_messages.sql).
alter table outbox drop constraint outbox_pkey;

create table outbox_messages (
  id bigint primary key,
  kind text not null,
  payload text not null,
  created_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.02);

insert into outbox_messages (id, kind, payload, created_at)
select id, kind, payload, created_at from outbox;

alter table outbox add primary key (id, cell);

alter table outbox drop column kind;

alter table outbox drop column payload;

alter table outbox drop column created_at;
