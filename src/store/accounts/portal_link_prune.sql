-- @notnull count
with pruned as (
  delete from directory.portal_links
  where id in (
    select id from directory.portal_links where ends_at < $1::timestamptz order by ends_at limit $2::integer
  )
  returning id
)
select count(*)::integer as count from pruned
