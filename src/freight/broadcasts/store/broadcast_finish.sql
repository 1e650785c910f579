-- Removes the oldest broadcasts of a group, whose last accounts receive them now. Skips what another node holds.
--
-- $1 the product · $2 the type · $3 how far the group has come · $4 how many at most · $5 bytes of their data
-- together at most; the first goes whatever it has
-- @null $3
-- @notnull data occurredAt dedupKey
with locked as (
  select id, octet_length(data) as bytes
  from cell.broadcasts
  where product = $1 and type = $2 and last_account_id is not distinct from $3::uuid
  order by id
  limit $4
  for update skip locked
),
summed as (
  select id, bytes, sum(bytes) over (order by id) as bytes_up_to from locked
),
finished as (
  select id from summed where bytes_up_to <= $5 or bytes_up_to = bytes
),
removed as (
  delete from cell.broadcasts as broadcast
  using finished
  where broadcast.id = finished.id
  returning broadcast.data, broadcast.occurred_at, broadcast.dedup_key
)
select data, occurred_at as "occurredAt", dedup_key as "dedupKey" from removed
