-- When the next shipment of the sources is due for a poll, claimed ones included; null where none is.
select min(poll.next_poll_at) as "dueAt"
from unnest($1::text[]) as wanted (source)
cross join lateral (
  select next_poll_at
  from cell.polls
  where polls.source = wanted.source and next_poll_at is not null
  order by next_poll_at
  limit 1
) as poll
