-- The last message for a cell but those of kind $2, of those up to $3; null: of all.
-- @notnull id
-- @null $3
select id::float8 as id
from cell.outbox
where cell = $1::smallint and kind <> $2::text and ($3::bigint is null or id <= $3::bigint)
order by id desc
limit 1
