-- A slot that another node has placed stays there.
--
-- $1 the kind · $2 slots · $3 their cells
insert into directory.slots (kind, slot, cell)
select $1, slot, cell from unnest($2::integer[], $3::integer[]) as wanted (slot, cell) order by slot
on conflict do nothing
