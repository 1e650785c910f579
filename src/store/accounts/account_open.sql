select id from cell.accounts where id = $1::uuid and not closed
