-- Endpoints that were deleted before $2: whoever raised or released something of theirs then has ended.
select endpoint_id as "endpointId"
from cell.deleted_endpoints
where deleted_at < $2::timestamptz
order by deleted_at
limit $1::integer
