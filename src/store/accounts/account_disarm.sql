update cell.accounts
set demurrage_armed_at = null
where id = $1 and demurrage_armed_at is not null
