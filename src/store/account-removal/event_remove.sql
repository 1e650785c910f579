-- Some events of an account. $1 the account · $2 the most to remove
-- @notnull count
with doomed as (
  select id from cell.events where account_id = $1::uuid limit $2::integer
),
removed as (
  delete from cell.events e using doomed where e.id = doomed.id
)
select count(*)::integer as count from doomed
