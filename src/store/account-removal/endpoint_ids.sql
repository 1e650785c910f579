select id from cell.endpoints where account_id = $1::uuid order by id
