-- How many shipments are due, now or later, in lanes that nobody asks for. Jumps along the index from lane to
-- lane, however many shipments there are.
--
-- $1 the lanes that are asked · $2 shipments of one lane that are counted at most
-- @notnull lane count
with recursive lanes as (
  (select lane from cell.polls where next_poll_at is not null order by lane limit 1)
  union all
  select (
    select polls.lane
    from cell.polls
    where next_poll_at is not null and polls.lane > lanes.lane
    order by polls.lane
    limit 1
  )
  from lanes
  where lanes.lane is not null
)
select lane, (
  select count(*)::integer
  from (
    select from cell.polls where polls.lane = lanes.lane and next_poll_at is not null limit $2
  ) as counted
) as count
from lanes
where lane <> '' and lane <> all ($1::text[])
order by lane
