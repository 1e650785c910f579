delete from cell.deleted_endpoints where endpoint_id = $1::uuid
