-- The endpoints, by product and by how they fare. Where an older build switched one off, its failures tell why.
--
-- $1 the most rows to count
-- @notnull active failing disabled paused
select product,
  count(*) filter (where active and failure_count = 0)::float8 as active,
  count(*) filter (where active and failure_count > 0)::float8 as failing,
  count(*) filter (where not active and coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as disabled,
  count(*) filter (where not active and not coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as paused
from (select product, active, failure_count, disabled_reason from cell.endpoints limit $1::integer) as counted
group by product
