-- What a node has claimed.
select delivery_id as id from cell.queue where node = $1::integer
