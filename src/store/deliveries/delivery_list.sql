-- An endpoint's deliveries, newest first. At most $6 are looked through, and the last of those is always returned:
-- the next page begins behind it, whether it is wanted or not.
--
-- $1 the endpoint · $2 before this id · $3 from this id on · $4 the status · $5 the event type; null: any
-- $6 the most to look through · $7 the most to return
-- @notnull id eventId eventType status attemptCount createdAt isWanted isLast
-- @null $4 $5
select d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", q.due_at as "dueAt",
  ($4::text is null or d.status = $4::text) and ($5::text is null or e.type = $5::text) as "isWanted",
  d.nth = $6::integer as "isLast"
from (
  select newest.*, row_number() over (order by newest.id desc) as nth
  from (
    select *
    from cell.deliveries
    where endpoint_id = $1::uuid and id < $2::uuid and id >= $3::uuid
    order by id desc
    limit $6::integer
  ) newest
) d
-- One by one, and not for deliveries of another status: a page needs few of them.
cross join lateral (select type from cell.events where id = d.event_id limit 1) e
left join cell.queue q on q.delivery_id = d.id
where ($4::text is null or d.status = $4::text or d.nth = $6::integer)
  and ($5::text is null or e.type = $5::text or d.nth = $6::integer)
order by d.id desc
limit $7::integer
