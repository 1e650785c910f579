-- What is known of the feeds that have been asked, by their names.
select
  name, next_fetch_at as "nextFetchAt", claimed_until as "claimedUntil", fetched_at as "fetchedAt", outcome, calls, failures
from directory.schedule_feeds
order by name
