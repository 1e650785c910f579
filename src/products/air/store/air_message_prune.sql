-- Deletes texts that arrived before $1.
-- @notnull count
with old as (
  select id
  from cell.air_messages
  where received_at < $1::timestamptz
  order by received_at
  limit $2::integer
),
forgotten as (
  delete from cell.air_messages m
  using old
  where m.id = old.id
)
select count(*)::integer as count from old
