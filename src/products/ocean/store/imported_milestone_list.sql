-- What was imported of references, of each so much at most, the latest stated.
--
-- $1 references · $2 how many of each
-- @notnull reference statement statedAt withdrawn
select wanted.reference, said.statement, said.stated_at as "statedAt", said.withdrawn
from unnest($1::text[]) as wanted (reference)
cross join lateral (
  select statement, stated_at, withdrawn
  from cell.imported_milestones as one
  where one.reference = wanted.reference
  order by stated_at desc, digest
  limit $2::integer
) as said
