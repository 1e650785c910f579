delete from cell.rate_indices where id = $1 returning id
