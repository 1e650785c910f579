-- $1 deliveries · $2 their events
with removed as (
  delete from cell.deliveries where id = any ($1::uuid[])
),
unqueued as (
  delete from cell.queue where delivery_id = any ($1::uuid[])
)
delete from cell.events where id = any ($2::uuid[])
