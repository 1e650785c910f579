-- @notnull heartbeat
select id, beat::float8 as heartbeat, server from cell.nodes where id <> $1::integer order by id
