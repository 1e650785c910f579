-- What became of an endpoint's attempts, by steps of time: how many arrived (no code), and how many failed with each
-- code. A bounded number of its newest deliveries is read by the index, and their failed attempts by theirs.
--
-- $1 the endpoint · $2 deliveries from this id on · $3 when the first step begins · $4 seconds of a step
-- $5 the most deliveries to read
-- @notnull step attempts read
with newest as (
  select id, delivered_at
  from cell.deliveries
  where endpoint_id = $1::uuid and id >= $2::uuid
  order by id desc
  limit $5::integer
),
ended as (
  select delivered_at as at, null as code from newest where delivered_at >= $3::timestamptz
  union all
  select a.ended_at, split_part(a.error, ':', 1)
  from newest n
  join cell.attempts a on a.delivery_id = n.id
  where a.ended_at >= $3::timestamptz
)
select floor(extract(epoch from at - $3::timestamptz) / $4::integer)::integer as step, code,
  count(*)::integer as attempts, (select count(*)::integer from newest) as read
from ended
group by 1, 2
order by 1, 2
