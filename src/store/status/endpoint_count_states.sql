-- How many endpoints fail, how many failures have disabled, and how many their owners have paused: as
-- `endpoint_count.sql` counts them.
-- @notnull failing disabled paused
select
  count(*) filter (where active)::float8 as failing,
  count(*) filter (where not active and coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as disabled,
  count(*) filter (where not active and not coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as paused
from cell.endpoints
where failure_count > 0 or not active
