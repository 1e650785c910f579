-- @notnull active
select p.id, p.account_id as "accountId", p.product, p.url, p.event_types as "eventTypes",
  -- Nothing is sent of an account that is closed.
  p.active and not exists (select from cell.accounts a where a.id = p.account_id and a.closed) as active,
  p.failure_count as "failureCount", p.sealed_secret_hash as "sealedSecretHash"
from unnest($1::uuid[]) as wanted (id)
join cell.endpoints p on p.id = wanted.id
