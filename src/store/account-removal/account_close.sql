-- No route of the account holds any longer. `moving` is what the index of closed accounts is made of (023_account_moves).
update cell.accounts
set moving = true, closed = true, routing_version = routing_version + 1
where id = $1::uuid
