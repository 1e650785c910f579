-- Deletes what came before $1.
-- @notnull count
with old as (
  select reference, digest
  from cell.imported_milestones
  where received_at < $1::timestamptz
  order by reference, digest
  limit $2::integer
  for update skip locked
),
gone as (
  delete from cell.imported_milestones as one
  using old
  where one.reference = old.reference and one.digest = old.digest
  returning one.reference
)
select count(*)::integer as count from gone
