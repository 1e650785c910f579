-- The number of the last change, beside those behind $1, which are $2 at most: without any, one row of nulls.
-- @notnull last
-- @together number kind subject
select last.number::float8 as last, change.number::float8 as number, change.kind, change.subject
from directory.last_change as last
left join directory.changes as change on change.number > $1::bigint and change.number <= last.number
order by change.number
limit $2::integer
