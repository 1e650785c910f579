-- Returns deliveries that the node holds to the queue, unattempted: the node stops, their endpoint receives nothing
-- now, or a lost answer of the database leaves open whether the node holds them.
--
-- $1 the node · $2 deliveries · $3 the time
with released as (
  update cell.deliveries d
  set node = null
  from unnest($2::uuid[]) as r (id)
  where d.id = r.id and d.node = $1::integer and d.status = 'pending'
  returning d.id, d.endpoint_id
),
queued as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select id, endpoint_id, $3::timestamptz from released
  -- A delivery is in one place only. One that is in two must not keep the others from being given back.
  on conflict (delivery_id) do nothing
),
unclaimed as (
  update cell.queue q
  set node = null
  from unnest($2::uuid[]) as r (id)
  where q.delivery_id = r.id and q.node = $1::integer
)
select id from released
