-- A page of the cell's deliveries, newest first. What is asked for has no index, so a bounded number is read, and the last
-- one that is read is there whether it `matches` or not.
--
-- $1 before this id · $2 the status, null for any · $3 the event's type, null for any · $4 the most to read
-- $5 the most there may be · $6 from this id on
-- @notnull id eventId eventType status attemptCount createdAt endpointId accountId product matches isLastRead
-- @null $2 $3
select d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", d.endpoint_id as "endpointId", q.due_at as "dueAt",
  p.inactive_since as "disabledAt", e.account_id as "accountId", e.product, p.url,
  ($2::text is null or d.status = $2::text) and ($3::text is null or e.type = $3::text) as matches,
  d.place = $4::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by newest.id desc) as place
  from (
    select *
    from cell.deliveries
    where id < $1::uuid and id >= $6::uuid
    order by id desc
    limit $4::integer
  ) newest
) d
join cell.events e on e.id = d.event_id
left join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id
where ($2::text is null or d.status = $2::text) and ($3::text is null or e.type = $3::text) or d.place = $4::integer
order by d.id desc
limit $5::integer
