-- @notnull count
with over as (
  select id
  from cell.port_calls
  where calls_at < $1
  order by calls_at
  limit $2
  for update skip locked
),
gone as (
  delete from cell.port_calls as call using over where call.id = over.id returning call.id
)
select count(*)::integer as count from gone
