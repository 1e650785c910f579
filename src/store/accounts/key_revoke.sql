update directory.api_keys
set revoked_at = coalesce(revoked_at, $2::timestamptz)
where id = $1::uuid
returning id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt"
