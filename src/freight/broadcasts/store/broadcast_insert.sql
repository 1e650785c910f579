-- A broadcast whose key is there already adds nothing. In the order of the keys, so that two callers cannot
-- block each other.
insert into cell.broadcasts (id, product, type, data, occurred_at, dedup_key)
select b.id, b.product, b.type, b.data, b.occurred_at, b.dedup_key
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[])
  as b (id, product, type, data, occurred_at, dedup_key)
order by b.product, b.dedup_key
on conflict do nothing
