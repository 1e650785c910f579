-- $1 deliveries · $2 their events
with forgotten as (
  delete from cell.attempts where delivery_id = any ($1::uuid[])
),
removed as (
  delete from cell.deliveries where id = any ($1::uuid[])
),
unqueued as (
  delete from cell.queue where delivery_id = any ($1::uuid[])
)
delete from cell.events where id = any ($2::uuid[])
