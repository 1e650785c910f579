-- What a node has claimed.
select delivery_id as id, endpoint_id as "endpointId" from cell.queue where node = $1::integer
