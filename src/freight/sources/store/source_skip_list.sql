-- What of each source's answers could not be read, most frequent first. $1 their names · $2 reasons of each at most
-- @notnull source reason count lastAt example
select skip.source, skip.reason, skip.count::float8 as count, skip.last_at as "lastAt", skip.example
from unnest($1::text[]) as wanted (source)
cross join lateral (
  select * from directory.source_skips its where its.source = wanted.source order by its.count desc, its.reason limit $2::integer
) as skip
