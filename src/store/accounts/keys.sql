-- name: key_account :maybe
-- Whose key it is. A revoked key is nobody's.
select k.id as "keyId", a.id, a.name, a.entitlements, a.demurrage_alerting as "demurrageAlerting", a.cell,
  a.created_at as "createdAt"
from directory.api_keys k
join directory.accounts a on a.id = k.account_id
where k.hash = @hash::bytea and k.revoked_at is null;

-- name: key_insert :maybe
-- Nothing is returned when there is no such account.
insert into directory.api_keys (id, account_id, prefix, label, hash, created_at)
select @id::uuid, a.id, @prefix::text, @label::text, @hash::bytea, @createdAt::timestamptz
from directory.accounts a
where a.id = @accountId::uuid
returning id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt";

-- name: key_list :many
-- The account's keys, revoked ones as well, newest first, from behind @afterId on; null: from the newest on.
-- @null @afterId
select id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt"
from directory.api_keys
where account_id = @accountId::uuid and (@afterId::uuid is null or id < @afterId::uuid)
order by id desc
limit @limit::integer;

-- name: key_revoke :maybe
update directory.api_keys
set revoked_at = coalesce(revoked_at, @at::timestamptz)
where id = @id::uuid
returning id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt";
