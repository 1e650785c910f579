delete from cell.accounts where id = $1::uuid and closed
