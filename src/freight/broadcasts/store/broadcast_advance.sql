-- Advances the oldest of a group, when there are more accounts than one step takes.
--
-- $1 the product · $2 the type · $3 how far the group has come · $4 the last account of this step
-- @null $3
update cell.broadcasts
set last_account_id = $4::uuid
where id = (
  select id
  from cell.broadcasts
  where product = $1 and type = $2 and last_account_id is not distinct from $3::uuid
  order by id
  limit 1
  for update skip locked
)
returning data, occurred_at as "occurredAt", dedup_key as "dedupKey"
