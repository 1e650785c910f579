-- No route of the account holds any longer.
--
-- $1 the account · $2 moving · $3 closed
update cell.accounts
set moving = $2::boolean, closed = $3::boolean, routing_version = routing_version + 1
where id = $1::uuid
