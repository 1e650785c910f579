-- @notnull count
with old as (
  select carrier, service, day
  from cell.service_reliability
  where day < $1::date
  order by day
  limit $2
  for update skip locked
),
gone as (
  delete from cell.service_reliability as kept using old
  where kept.carrier = old.carrier and kept.service = old.service and kept.day = old.day
  returning kept.day
)
select count(*)::integer as count from gone
