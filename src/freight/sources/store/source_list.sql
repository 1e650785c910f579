-- How sources answered last. $1 their names
-- @notnull requests failures
select source, asked_at as "askedAt", subject, outcome, answered_at as "answeredAt", failed_at as "failedAt", failure,
  requests::float8 as requests, failures::float8 as failures, counted_since as "countedSince",
  waits_until as "waitsUntil", waits_for as "waitsFor"
from directory.source_answers
where source = any ($1::text[])
