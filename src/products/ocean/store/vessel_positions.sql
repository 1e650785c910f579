-- Where these vessels were by their last reports; a report without a position is left out.
-- @notnull status seenAt latitude longitude
select imo, status, seen_at as "seenAt", latitude, longitude, course
from directory.vessels
where imo = any ($1::text[]) and seen_at is not null and latitude is not null
