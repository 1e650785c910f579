delete from directory.rate_indices where id = $1 returning id
