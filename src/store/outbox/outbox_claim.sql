-- Claims the oldest messages of a cell until $4. Skips what another node is claiming.
--
-- $1 the cell · $2 kinds · $3 the time · $4 the lease's end · $5 how many at most · $6 bytes of their payloads together
-- at most; the first is claimed whatever it has
with locked as (
  select id, octet_length(payload) as bytes
  from cell.outbox
  where cell = $1 and kind = any ($2::text[]) and due_at <= $3
  order by id
  limit $5
  for update skip locked
),
summed as (
  select id, bytes, sum(bytes) over (order by id) as bytes_up_to from locked
),
claimed as (
  update cell.outbox as message
  set due_at = $4
  from summed
  where message.id = summed.id and (summed.bytes_up_to <= $6 or summed.bytes_up_to = summed.bytes)
  returning message.id, message.kind, message.payload
)
select id, kind, payload from claimed order by id
