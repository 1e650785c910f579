-- The nodes, other than $1, that have not taken in change $2 yet.
select id from cell.nodes where id <> $1::integer and seen_change < $2::bigint
