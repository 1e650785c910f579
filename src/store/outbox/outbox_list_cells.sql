-- The cells that have messages to apply.
--
-- $1 numbers of cells · $2 kinds · $3 the time
-- @notnull number
select number
from unnest($1::integer[]) as number
where exists (
  select from cell.outbox as waiting
  join cell.outbox_messages as message on message.id = waiting.id
  where waiting.cell = number and message.kind = any ($2::text[]) and waiting.due_at <= $3
)
