-- Calls by their ids.
--
-- $1 the ids
select id, record from cell.port_calls where id = any ($1::uuid[])
