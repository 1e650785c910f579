-- The nodes, other than $1, that have not acknowledged change $2.
select id from cell.nodes where id <> $1::integer and seen_change < $2::bigint
