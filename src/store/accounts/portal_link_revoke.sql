-- $1 the link · $2 its account · $3 the time
update directory.portal_links
set revoked_at = coalesce(revoked_at, $3::timestamptz)
where id = $1::uuid and account_id = $2::uuid
returning id, account_id as "accountId", product, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt",
  sessions_until as "sessionsUntil", revoked_at as "revokedAt"
