-- One call.
--
-- $1 the call
-- @notnull record
select record from cell.port_calls where id = $1
