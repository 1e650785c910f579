-- name: schedule_feed_claim :many
-- @names the feeds that this node can ask · @id the name of the claims · @until until when
-- @lostIds those of claims of this node whose answers were lost
with due as (
  select name
  from directory.schedule_feeds
  where name = any (@names::text[]) and next_fetch_at <= @at
    and (claimed_until is null or claimed_until <= @at or claimed_by = any (@lostIds::uuid[]))
  order by next_fetch_at
  limit @limit
  for update skip locked
)
update directory.schedule_feeds as feed
set claimed_by = @id, claimed_until = @until
from due
where feed.name = due.name
returning feed.name, feed.failures;

-- name: schedule_feed_release :exec
-- Gives a claim back: the feed is due as before.
update directory.schedule_feeds
set claimed_by = null, claimed_until = null
where name = @name and claimed_by = @claimId;

-- name: schedule_feed_finish :exec
-- @name the feed · @claimId the name of the claim · @nextFetch when it is asked next
-- @calls how many calls it returned, null: there was no answer · @failures fetches without an answer
-- @null @calls
update directory.schedule_feeds
set
  claimed_by = null, claimed_until = null, next_fetch_at = @nextFetch, fetched_at = @at, outcome = @outcome,
  calls = coalesce(@calls::integer, calls), failures = @failures
where name = @name and claimed_by = @claimId;

-- name: schedule_feed_insert :exec
-- Feeds that are not known yet are due at once; one that is asked more often than before is due the sooner.
-- `due_at`: had it been asked now. Each name once.
insert into directory.schedule_feeds as feed (name, next_fetch_at)
select name, @at from @feeds (name text, due_at timestamptz) as wanted order by name
on conflict (name) do update
set next_fetch_at = (
  select due_at from @feeds as wanted where wanted.name = feed.name
)
where feed.next_fetch_at > (
  select due_at from @feeds as wanted where wanted.name = feed.name
);

-- name: schedule_feed_list :many
-- What is known of the feeds that have been asked, by their names.
select
  name, next_fetch_at as "nextFetchAt", claimed_until as "claimedUntil", fetched_at as "fetchedAt", outcome, calls, failures
from directory.schedule_feeds
order by name;

-- name: schedule_feed_renew :many
-- No row: another node has taken the feed over.
update directory.schedule_feeds set claimed_until = @until where name = @name and claimed_by = @claimId returning name;
