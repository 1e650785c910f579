select id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt"
from directory.api_keys
where account_id = $1::uuid
order by id desc
