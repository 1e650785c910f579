-- Nothing is returned when there is no such account.
insert into directory.portal_links (id, account_id, product, created_at, ends_at)
select $1::uuid, id, $3::text, $4::timestamptz, $5::timestamptz
from directory.accounts
where id = $2::uuid
returning id, account_id as "accountId", product, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt",
  sessions_until as "sessionsUntil", revoked_at as "revokedAt"
