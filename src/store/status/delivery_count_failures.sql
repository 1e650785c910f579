-- Why deliveries in the queue have failed, by the code before the colon. $1 the most rows of the queue to read
-- @notnull deliveries endpoints reason
select split_part(d.last_error, ':', 1) as reason, count(*)::float8 as deliveries,
  count(distinct d.endpoint_id)::float8 as endpoints
from (select delivery_id from cell.queue limit $1::integer) q
join cell.deliveries d on d.id = q.delivery_id
where d.last_error is not null
group by 1
