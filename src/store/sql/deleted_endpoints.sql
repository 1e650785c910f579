select endpoint_id as "endpointId" from cell.deleted_endpoints order by deleted_at limit $1::integer
