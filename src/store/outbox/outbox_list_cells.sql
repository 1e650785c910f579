-- The cells that have messages to apply.
--
-- $1 numbers of cells · $2 kinds · $3 the time
-- @notnull number
select number
from unnest($1::integer[]) as number
where exists (
  select from cell.outbox as message
  where message.cell = number and message.kind = any ($2::text[]) and message.due_at <= $3
)
