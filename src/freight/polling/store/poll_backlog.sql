-- For each lane, since when the longest due waits that nobody looks at; what was asked for aside.
-- @notnull carrier dueSince
select lane.carrier, poll.next_poll_at as "dueSince"
from unnest($1::text[]) as lane (carrier)
cross join lateral (
  select next_poll_at
  from cell.polls
  where polls.lane = lane.carrier
    and next_poll_at > timestamptz 'epoch' + interval '1 second'
    and next_poll_at <= $2
    and (leased_until is null or leased_until <= $2)
  order by next_poll_at
  limit 1
) as poll
