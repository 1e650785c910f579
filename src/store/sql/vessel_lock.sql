-- Rows are locked in one order by all who write several.
select imo, status, seen_at as "seenAt"
from directory.vessels
where imo = any ($1::text[])
order by imo
for update
