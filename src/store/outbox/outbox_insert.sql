-- A row for each cell and payload, in the order of the payloads.
--
-- $1 numbers of cells · $2 the kind · $3 payloads · $4 the time
insert into directory.outbox (cell, kind, payload, created_at, due_at)
select number, $2, payload, $4, $4
from unnest($3::text[]) with ordinality as message (payload, place)
cross join unnest($1::integer[]) as number
order by place, number
