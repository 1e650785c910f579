-- For each endpoint the earliest time at which anything of its queue is due; null when nothing waits.
-- @notnull endpointId
select p.id as "endpointId", (
  select min(q.due_at) from cell.queue q where q.endpoint_id = p.id and q.node is null
) as "dueAt"
from unnest($1::uuid[]) as p (id)
