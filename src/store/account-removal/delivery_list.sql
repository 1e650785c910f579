-- Some deliveries of an endpoint, newest first. $1 the endpoint · $2 the most
select id, event_id as "eventId"
from cell.deliveries
where endpoint_id = $1::uuid
order by id desc
limit $2::integer
