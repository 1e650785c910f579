select id, beat::float8 as beat from cell.nodes where id <> $1::integer order by id
