-- Nothing is returned when there is no such account.
insert into directory.api_keys (id, account_id, prefix, label, hash, created_at)
select $1::uuid, a.id, $3::text, $4::text, $5::bytea, $6::timestamptz
from directory.accounts a
where a.id = $2::uuid
returning id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt"
