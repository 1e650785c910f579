-- Lanes whose rate the day changes. $1 the day · $2 how many
select id
from cell.rate_lanes
where changes_on <= $1::date
order by changes_on, id
limit $2
