-- Broadcasts that are past the account behind $1 come to it again.
update cell.broadcasts set last_account_id = $1::uuid where last_account_id > $1::uuid
