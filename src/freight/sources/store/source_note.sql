-- Adds what a node has seen of sources. The latest request or push of all nodes stays; the counts add up.
--
-- $1 sources · $2 when each was asked, null: not since · $3 about what · $4 the outcome · $5 when it last answered
-- $6 when it last failed · $7 why · $8 requests · $9 of them failures · $10 until when none is sent · $11 why · $12 the time
insert into directory.source_answers as known (
  source, asked_at, subject, outcome, answered_at, failed_at, failure, requests, failures, waits_until, waits_for,
  counted_since
)
select seen.*, $12::timestamptz
from unnest(
  $1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[], $7::text[], $8::integer[],
  $9::integer[], $10::timestamptz[], $11::text[]
) as seen (source, asked_at, subject, outcome, answered_at, failed_at, failure, requests, failures, waits_until, waits_for)
order by source
on conflict (source) do update
set
  asked_at = greatest(known.asked_at, excluded.asked_at),
  subject = case when excluded.asked_at >= coalesce(known.asked_at, 'epoch') then excluded.subject else known.subject end,
  outcome = case when excluded.asked_at >= coalesce(known.asked_at, 'epoch') then excluded.outcome else known.outcome end,
  answered_at = greatest(known.answered_at, excluded.answered_at),
  failed_at = greatest(known.failed_at, excluded.failed_at),
  failure = case
    when excluded.failed_at >= coalesce(known.failed_at, 'epoch') then excluded.failure else known.failure
  end,
  requests = known.requests + excluded.requests,
  failures = known.failures + excluded.failures,
  waits_until = excluded.waits_until,
  waits_for = excluded.waits_for
