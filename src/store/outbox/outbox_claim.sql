-- Claims the oldest messages of a cell until $4. Skips what another node is claiming.
--
-- $1 the cell · $2 kinds · $3 the time · $4 the lease's end · $5 how many at most · $6 bytes of their payloads together
-- at most; the first is claimed whatever it has
with locked as (
  select waiting.id, octet_length(message.payload) as bytes
  from cell.outbox as waiting
  join cell.outbox_messages as message on message.id = waiting.id
  where waiting.cell = $1 and message.kind = any ($2::text[]) and waiting.due_at <= $3
  order by waiting.id
  limit $5
  for update of waiting skip locked
),
summed as (
  select id, bytes, sum(bytes) over (order by id) as bytes_up_to from locked
),
claimed as (
  update cell.outbox as waiting
  set due_at = $4
  from summed
  where waiting.cell = $1 and waiting.id = summed.id
    and (summed.bytes_up_to <= $6 or summed.bytes_up_to = summed.bytes)
  returning waiting.id
)
select message.id, message.kind, message.payload
from claimed
join cell.outbox_messages as message on message.id = claimed.id
order by message.id
