-- Why the polls of source queues failed last that go on. $1 the queues · $2 the most polls of each to read
-- @notnull queue failure polls
select wanted.queue, read.failure, count(*)::integer as polls
from unnest($1::text[]) as wanted (queue)
cross join lateral (
  select failure from cell.polls where source = wanted.queue and next_poll_at is not null limit $2::integer
) as read
where read.failure is not null
group by 1, 2
