-- $1 the account · $2 the time
update directory.api_keys set revoked_at = coalesce(revoked_at, $2::timestamptz) where account_id = $1::uuid
