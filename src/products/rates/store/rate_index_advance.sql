-- $1 the index · $2 when it is due next
update cell.rate_indices set next_at = $2 where id = $1
