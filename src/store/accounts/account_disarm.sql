-- $1 the account · $2 the message: one that the account has passed changes nothing
update cell.accounts
set last_arming = $2, demurrage_armed_at = null
where id = $1 and last_arming < $2
