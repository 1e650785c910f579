update cell.nodes set seen_change = greatest(seen_change, $2::bigint) where id = $1::integer
