-- @notnull count
with pruned as (
  delete from directory.changes
  where number in (
    select number from directory.changes where changed_at < $1::timestamptz order by number limit $2::integer
  )
  returning number
)
select count(*)::integer as count from pruned
