-- $1 the feeds that this node can ask · $2 the time · $3 the name of the claims · $4 until when · $5 how many
with due as (
  select name
  from directory.schedule_feeds
  where name = any ($1::text[]) and next_fetch_at <= $2 and (claimed_until is null or claimed_until <= $2)
  order by next_fetch_at
  limit $5
  for update skip locked
)
update directory.schedule_feeds as feed
set claimed_by = $3, claimed_until = $4
from due
where feed.name = due.name
returning feed.name, feed.failures
