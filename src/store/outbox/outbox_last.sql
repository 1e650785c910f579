-- The last message for a cell but those of kind $2, of those up to $3; null: of all.
-- @notnull id
-- @null $3
select waiting.id::float8 as id
from cell.outbox as waiting
join cell.outbox_messages as message on message.id = waiting.id
where waiting.cell = $1::smallint and message.kind <> $2::text and ($3::bigint is null or waiting.id <= $3::bigint)
order by waiting.id desc
limit 1
