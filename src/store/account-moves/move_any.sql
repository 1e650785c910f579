select account_id as "accountId" from directory.account_moves limit 1
