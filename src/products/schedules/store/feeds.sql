-- name: schedule_feed_claim :many
-- @names the feeds that this node can ask · @at the time · @id the name of the claims · @until until when · @limit how many
with due as (
  select name
  from directory.schedule_feeds
  where name = any (@names::text[]) and next_fetch_at <= @at and (claimed_until is null or claimed_until <= @at)
  order by next_fetch_at
  limit @limit
  for update skip locked
)
update directory.schedule_feeds as feed
set claimed_by = @id, claimed_until = @until
from due
where feed.name = due.name
returning feed.name, feed.failures;

-- name: schedule_feed_finish :exec
-- @name the feed · @claimId the name of the claim · @nextFetch when it is asked next · @at the time · @outcome the outcome
-- @calls how many calls it returned, null: there was no answer · @failures fetches without an answer
-- @null @calls
update directory.schedule_feeds
set
  claimed_by = null, claimed_until = null, next_fetch_at = @nextFetch, fetched_at = @at, outcome = @outcome,
  calls = coalesce(@calls::integer, calls), failures = @failures
where name = @name and claimed_by = @claimId;

-- name: schedule_feed_insert :exec
-- Feeds that are not known yet are due at once; one that is asked more often than before is due the sooner.
--
-- @names names, each once · @at the time · @dueAt when each would be due had it been asked now
insert into directory.schedule_feeds as feed (name, next_fetch_at)
select name, @at from unnest(@names::text[], @dueAt::timestamptz[]) as wanted (name, due_at) order by name
on conflict (name) do update
set next_fetch_at = (
  select due_at from unnest(@names::text[], @dueAt::timestamptz[]) as wanted (name, due_at) where wanted.name = feed.name
)
where feed.next_fetch_at > (
  select due_at from unnest(@names::text[], @dueAt::timestamptz[]) as wanted (name, due_at) where wanted.name = feed.name
);

-- name: schedule_feed_list :many
-- What is known of the feeds that have been asked, by their names.
select
  name, next_fetch_at as "nextFetchAt", claimed_until as "claimedUntil", fetched_at as "fetchedAt", outcome, calls, failures
from directory.schedule_feeds
order by name;

-- name: schedule_feed_renew :many
-- (@name, @claimId, @until)
-- No row: another node has taken the feed over.
update directory.schedule_feeds set claimed_until = @until where name = @name and claimed_by = @claimId returning name;
