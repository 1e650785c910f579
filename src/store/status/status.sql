-- name: delivery_count_failures :many
-- Why deliveries in the queue have failed, by the code before the colon. @rowsMax the most rows of the queue to read
-- @notnull deliveries endpoints reason
select split_part(d.last_error, ':', 1) as reason, count(*)::float8 as deliveries,
  count(distinct d.endpoint_id)::float8 as endpoints
from (select delivery_id from cell.queue limit @rowsMax::integer) q
join cell.deliveries d on d.id = q.delivery_id
where d.last_error is not null
group by 1;

-- name: endpoint_count_states :one
-- How many endpoints fail, how many failures have disabled, and how many their owners have paused: as
-- `endpoint_count` counts them.
-- @notnull failing disabled paused
select
  count(*) filter (where active)::float8 as failing,
  count(*) filter (where not active and coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as disabled,
  count(*) filter (where not active and not coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as paused
from cell.endpoints
where failure_count > 0 or not active;

-- name: poll_count_failures :many
-- Polls that go on and failed last time, by their source (its SCAC or prefix; empty: not known yet) and the code of the
-- failure. That a reference is unknown, or that another is needed, is no trouble of the source. @rowsMax the most polls to read
-- @notnull polls reason source
select p.source, split_part(p.failure, ':', 1) as reason, count(*)::float8 as polls
from (
  select source, failure from cell.polls where next_poll_at is not null limit @rowsMax::integer
) p
where p.failure !~ '^(not_found|wrong_carrier|needs_)'
group by 1, 2;

-- name: upstream_list_down :many
-- Outside APIs that have done nothing but fail for a while. @since the last failure is no older: one that has left the
-- files is asked no more
-- @notnull source reason downSince
select source, failure as reason, down_since as "downSince"
from directory.source_answers
where down_since is not null and failed_at >= @since::timestamptz
order by source;

-- name: upstream_list_paused :many
-- Sources of outside APIs that want no request before a time. @nowMs pauses that end after it, in ms
select source, paused_until as "pausedUntilMs"
from directory.upstream_pauses
where paused_until > @nowMs::float8
order by source;
