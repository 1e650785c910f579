-- Removes from the queue what nobody will ever send: deliveries of days before $1 that have ended, or are
-- gone, or whose endpoint is. A result that is written while its node is being replaced can leave such a
-- row behind, and it would keep the day's partition for ever.
--
-- $1 the first day to be left alone · $2 the most to remove at once
-- @notnull count
with orphans as (
  select q.delivery_id
  from cell.queue q
  where q.delivery_id < cell.first_id_of($1::date)
    and not exists (
      select
      from cell.deliveries d
      join cell.endpoints p on p.id = d.endpoint_id
      where d.id = q.delivery_id and d.status = 'pending'
    )
  limit $2::integer
),
gone as (
  delete from cell.queue q using orphans o where q.delivery_id = o.delivery_id
)
select count(*)::integer as count from orphans
