-- How many deliveries of these endpoints nodes hold.
-- @notnull count
select (
  (select count(*) from cell.queue q where q.node is not null and q.endpoint_id = any ($1::uuid[]))
  + (
    select count(*)
    from cell.deliveries d
    where d.endpoint_id = any ($1::uuid[])
      -- Nothing older is held without a row in the queue.
      and d.id >= (select n.oldest_held from cell.nodes n order by n.oldest_held limit 1)
      and d.status = 'pending'
      and d.node is not null
  )
)::integer as count
