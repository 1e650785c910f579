-- The newest deliveries of one account, those of each endpoint found by their own index.
select d.id, e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.endpoint_id as "endpointId", d.product
from (
  select newest.*, p.product
  from cell.endpoints p
  cross join lateral (
    select * from cell.deliveries d where d.endpoint_id = p.id order by d.id desc limit $2::integer
  ) newest
  where p.account_id = $1::uuid
  order by newest.id desc
  limit $2::integer
) d
join cell.events e on e.id = d.event_id
order by d.id desc
