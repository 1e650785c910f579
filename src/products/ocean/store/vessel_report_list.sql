-- $1 written since · $2 seen since · $3 how many
-- @notnull status seenAt
select imo, status, seen_at as "seenAt"
from directory.vessels
where written_at >= $1 and seen_at >= $2
order by seen_at desc
limit $3
