-- Ends deliveries that have been parked behind an inactive endpoint for too long.
--
-- $1 endpoints inactive since before this time · $2 the most to end at once
-- @notnull count products
with parked as (
  select q.delivery_id, p.product
  from cell.endpoints p
  join cell.queue q on q.endpoint_id = p.id
  where not p.active and p.inactive_since < $1::timestamptz and q.node is null
  limit $2::integer
  for update of q skip locked
),
ended as (
  update cell.deliveries d
  set status = 'dead',
      last_error = coalesce(d.last_error, 'parked: the endpoint stayed inactive for too long')
  from parked
  where d.id = parked.delivery_id and d.status = 'pending'
  returning parked.product
),
gone as (
  delete from cell.queue q using parked where q.delivery_id = parked.delivery_id
)
select count(*)::integer as count, array(select product from ended) as products from parked
