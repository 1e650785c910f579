-- $1 the feed · $2 the name of the claim · $3 when it is asked next · $4 the time · $5 the outcome
-- $6 how many calls it returned, null: there was no answer · $7 fetches without an answer
-- @null $6
update directory.schedule_feeds
set
  claimed_by = null, claimed_until = null, next_fetch_at = $3, fetched_at = $4, outcome = $5,
  calls = coalesce($6::integer, calls), failures = $7
where name = $1 and claimed_by = $2
