delete from cell.endpoints where account_id = $1::uuid
