-- Of each source queue how much is scheduled and how much of it is due, so many at most, and when the next poll is; polls
-- that were requested are due since 1970. $1 the queues · $2 the time · $3 the most polls to count
-- @notnull queue scheduled due
select wanted.queue,
  (
    select count(*)::integer
    from (select from cell.polls where source = wanted.queue and next_poll_at is not null limit $3::integer) as read
  ) as scheduled,
  (
    select count(*)::integer
    from (select from cell.polls where source = wanted.queue and next_poll_at <= $2::timestamptz limit $3::integer) as read
  ) as due,
  (
    select next_poll_at
    from cell.polls
    where source = wanted.queue and next_poll_at is not null
    order by next_poll_at
    limit 1
  ) as "nextAt"
from unnest($1::text[]) as wanted (queue)
