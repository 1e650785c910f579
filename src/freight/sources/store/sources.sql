-- name: source_list :many
-- How sources answered last. @names their names
-- @notnull requests failures
select source, asked_at as "askedAt", subject, outcome, answered_at as "answeredAt", failed_at as "failedAt", failure,
  requests::float8 as requests, failures::float8 as failures, counted_since as "countedSince",
  waits_until as "waitsUntil", waits_for as "waitsFor"
from directory.source_answers
where source = any (@names::text[]);

-- name: source_note :exec
-- Adds what a node has seen of sources. The latest request or push of all nodes stays; the counts add up.
-- A time is null where it has not happened since.
insert into directory.source_answers as known (
  source, asked_at, subject, outcome, answered_at, failed_at, failure, requests, failures, waits_until, waits_for,
  counted_since, failing_since
)
select seen.*, @at::timestamptz, case when seen.failed_at > coalesce(seen.answered_at, '-infinity') then seen.failed_at end
from @sources (
  source text, asked_at timestamptz null, subject text null, outcome text null,
  answered_at timestamptz null, failed_at timestamptz null, failure text null, requests integer,
  failures integer, waits_until timestamptz null, waits_for text null
) as seen
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
  waits_for = excluded.waits_for,
  failing_since = case
    when greatest(known.answered_at, excluded.answered_at) >= coalesce(greatest(known.failed_at, excluded.failed_at), '-infinity')
      then null
    when excluded.answered_at is null then coalesce(known.failing_since, excluded.failed_at)
    else excluded.failed_at
  end;

-- name: source_report_list :many
-- The oldest of what happened to sources, for the transaction that raises it. Skips what another node holds.
select at, kind, source, down_since as "downSince", failure
from directory.source_reports
order by at, kind, source
limit @limit::integer
for update skip locked;

-- name: source_report_remove :exec
delete from directory.source_reports r
using @reports (at timestamptz, kind text, source text) as done
where r.at = done.at and r.kind = done.kind and r.source = done.source;

-- name: source_skip_list :many
-- What of each source's answers could not be read, most frequent first. @names their names
-- @notnull source reason count lastAt example
select skip.source, skip.reason, skip.count::float8 as count, skip.last_at as "lastAt", skip.example
from unnest(@names::text[]) as wanted (source)
cross join lateral (
  select * from directory.source_skips its where its.source = wanted.source order by its.count desc, its.reason limit @reasonsMax::integer
) as skip;

-- name: source_skip_note :exec
-- Counts what of answers could not be read. A source that has too many reasons gets no more: they count as others.
--
-- @reasonsMax how many reasons a source may have
with seen as (
  select *
  from @skips (source text, reason text, count integer, example text) as seen
),
placed as (
  select seen.source, seen.count, seen.example,
    case
      when exists (select from directory.source_skips its where its.source = seen.source and its.reason = seen.reason)
        or (select count(*) from directory.source_skips its where its.source = seen.source) < @reasonsMax::integer
      then seen.reason
      else 'other reasons'
    end as reason
  from seen
)
insert into directory.source_skips as known (source, reason, count, example, last_at)
select source, reason, sum(count), max(example), @now::timestamptz
from placed
group by source, reason
order by source, reason
on conflict (source, reason) do update
set count = known.count + excluded.count, example = excluded.example, last_at = greatest(known.last_at, excluded.last_at);

-- name: source_turn :one
-- Reports those of the sources that are down, or answer again: a source is down once it has done nothing but fail for
-- @downAfterMs.
-- @notnull count
with old as (
  select source, down_since
  from directory.source_answers
  where source = any (@names::text[])
    and case
      when down_since is null
        then failed_at - failing_since >= make_interval(secs => @downAfterMs::double precision / 1000.0)
      else failing_since is null
    end
  order by source
  for update
),
turned as (
  update directory.source_answers its
  set down_since = case when old.down_since is null then its.failing_since end
  from old
  where its.source = old.source
  returning its.source, its.failure, its.down_since is not null as is_down, coalesce(old.down_since, its.down_since) as down_since
),
reported as (
  insert into directory.source_reports (at, kind, source, down_since, failure)
  select @at::timestamptz, case when is_down then 'source_down' else 'source_recovered' end, source, down_since, failure
  from turned
  on conflict do nothing
)
select count(*)::integer as count from turned;

-- name: source_skip_prune :exec
-- Reasons that no answer has had since @before.
delete from directory.source_skips where last_at < @before::timestamptz;
