-- The newest deliveries of one endpoint.
-- @notnull id eventId delivery
select d.id, d.event_id as "eventId", to_json(d)::text as delivery, to_json(e)::text as event,
  (select string_agg(to_json(a)::text, ',') from cell.attempts a where a.delivery_id = d.id) as attempts
from (
  select * from cell.deliveries where endpoint_id = $1::uuid order by id desc limit $2::integer
) d
left join cell.events e on e.id = d.event_id
order by d.id desc
