-- The sequences of a schema that have been drawn from.
-- @notnull name value
select sequencename::text as name, last_value::text as value
from pg_sequences
where schemaname = $1::text and last_value is not null
order by 1
