-- For each source, since when the longest due shipment waits for a poll; requested polls do not count.
-- @notnull carrier dueSince
select wanted.carrier, poll.next_poll_at as "dueSince"
from unnest($1::text[]) as wanted (carrier)
cross join lateral (
  select next_poll_at
  from cell.polls
  where polls.source = wanted.carrier
    and next_poll_at > timestamptz 'epoch' + interval '1 second'
    and next_poll_at <= $2
    and (leased_until is null or leased_until <= $2)
  order by next_poll_at
  limit 1
) as poll
