-- What waits for one endpoint, in the order in which it is due, behind what was due at $2 with the id $3.
-- @notnull id eventId delivery queue dueAt
select d.id, d.event_id as "eventId", to_json(d)::text as delivery, to_json(e)::text as event,
  (select string_agg(to_json(a)::text, ',') from cell.attempts a where a.delivery_id = d.id) as attempts,
  to_json(q)::text as queue, to_char(q.due_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "dueAt"
from (
  select *
  from cell.queue
  where endpoint_id = $1::uuid and node is null and (due_at, delivery_id) > ($2::text::timestamptz, $3::uuid)
  order by due_at, delivery_id
  limit $4::integer
) q
join cell.deliveries d on d.id = q.delivery_id and d.status = 'pending'
left join cell.events e on e.id = d.event_id
order by q.due_at, d.id
