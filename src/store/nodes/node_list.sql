-- @notnull heartbeat
select id, beat::float8 as heartbeat from cell.nodes where id <> $1::integer order by id
