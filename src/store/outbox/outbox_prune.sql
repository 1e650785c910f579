-- Deletes messages that are older than all that waits, $1 at most. A message that is being written is not seen here, nor
-- are its cells.
-- @notnull count
with pruned as (
  delete from cell.outbox_messages
  where id in (
    select id from cell.outbox_messages
    where id < coalesce((select min(id) from cell.outbox), 9223372036854775807)
    order by id
    limit $1::integer
    for update skip locked
  )
  returning id
)
select count(*)::integer as count from pruned
