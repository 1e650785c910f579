-- The vessels that bring tracked boxes somewhere about now.
-- @notnull imo
select distinct imo
from cell.shipments
cross join lateral unnest(vessels) as aboard (imo)
where vessels_from <= $1 and vessels_until > $1
limit $2
