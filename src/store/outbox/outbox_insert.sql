-- A row for each cell and payload, in the order of the payloads. The lock on the last number lasts until the commit, so
-- that the numbers follow the commits.
--
-- $1 numbers of cells · $2 the kind · $3 payloads · $4 the time
with drawn as (
  update cell.outbox_numbers
  set last = last + cardinality($1::integer[]) * cardinality($3::text[])
  returning last - cardinality($1::integer[]) * cardinality($3::text[]) as before
)
insert into cell.outbox (id, cell, kind, payload, created_at, due_at)
select drawn.before + row_number() over (order by place, number), number, $2, payload, $4, $4
from drawn
cross join unnest($3::text[]) with ordinality as message (payload, place)
cross join unnest($1::integer[]) as number
