delete from directory.account_moves where account_id = $1::uuid
