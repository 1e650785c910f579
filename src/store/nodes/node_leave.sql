delete from cell.nodes where id = $1::integer
