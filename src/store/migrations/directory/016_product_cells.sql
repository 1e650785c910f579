-- The records of products leave the directory for cells of their own (products/*/migrations/record). `cell`: a cell of
-- accounts; else the tag of the product.
alter table cells add column kind text not null default 'cell';
-- One number, one cell, whatever its kind: those of products have the numbers that no cell of accounts may have.
alter table cells add constraint numbers_of_kinds check ((kind = 'cell') = (number < 256));

-- The first takes over the directory's tables, and so begins on its server. Accounts go to none of them.
insert into cells (kind, number, open, created_at)
values ('schedules', 256, false, now()), ('rates', 257, false, now());

-- Which cell holds the rows of a slot: of carriers, or of lanes, by a hash (homes/product-cells.ts). It stays where it
-- is once it has a row here.
create table slots (
  kind text not null,
  slot smallint not null check (slot between 0 and 1023),
  cell smallint not null references cells (number),
  primary key (kind, slot)
);

-- The numbers of messages: a counter, since a sequence would stay behind when Citus moves a cell, and the outbox of a
-- product's cell is the same as this.
create table outbox_numbers (
  only_row boolean primary key default true check (only_row),
  last bigint not null check (last >= 0)
);

insert into outbox_numbers (last)
select greatest((select max(id) from outbox), (select last_value from outbox_id_seq where is_called), 0);

alter table outbox alter column id drop identity;

-- Older nodes that still run write messages without a number.
create function next_outbox_number() returns bigint
  language plpgsql
  set search_path from current
as $$
declare
  drawn bigint;
begin
  update outbox_numbers set last = last + 1 returning last into drawn;
  return drawn;
end
$$;

alter table outbox alter column id set default next_outbox_number();
