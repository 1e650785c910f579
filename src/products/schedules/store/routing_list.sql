-- Published ways between two ports, in the order of their departures.
--
-- $1 origin · $2 destination · $3 and $4 departures from, and before · $5 the carriers · $6 how many
select carrier, legs
from cell.routings
where origin = $1 and destination = $2 and departure_at >= $3 and departure_at < $4 and carrier = any ($5::text[])
order by departure_at, way
limit $6
