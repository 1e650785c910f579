-- Endpoints that were deleted before $2: every process that raised or released their deliveries then has ended.
select endpoint_id as "endpointId"
from cell.deleted_endpoints
where deleted_at < $2::timestamptz
order by deleted_at
limit $1::integer
