-- Whose key it is. A revoked key is nobody's.
select k.id as "keyId", a.id, a.name, a.entitlements, a.demurrage_alerting as "demurrageAlerting", a.cell,
  a.created_at as "createdAt"
from directory.api_keys k
join directory.accounts a on a.id = k.account_id
where k.hash = $1::bytea and k.revoked_at is null
