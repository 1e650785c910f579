select p.id, p.account_id as "accountId", p.product, p.url, p.event_types as "eventTypes", p.active,
  p.failure_count as "failureCount", p.sealed_secret_hash as "sealedSecretHash"
from unnest($1::uuid[]) as wanted (id)
join cell.endpoints p on p.id = wanted.id
