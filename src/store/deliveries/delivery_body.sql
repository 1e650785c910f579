-- What a delivery's body is made of.
select e.id as "eventId", e.type, e.occurred_at as "occurredAt", e.data
from cell.deliveries d
join cell.events e on e.id = d.event_id
where d.id = $1::uuid
