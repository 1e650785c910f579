-- An account's links, newest first, from behind $2 on; null: from the newest on.
-- @null $2
select id, account_id as "accountId", product, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt",
  sessions_until as "sessionsUntil", revoked_at as "revokedAt"
from directory.portal_links
where account_id = $1::uuid and ($2::uuid is null or id < $2::uuid)
order by id desc
limit $3::integer
