-- All that decides who receives what of one account, at one moment; nothing of one that is closed.
-- @notnull version
-- @together id product url eventTypes active failureCount sealedSecretHash
select a.routing_version::float8 as version, p.id, p.product, p.url, p.event_types as "eventTypes",
  p.active, p.failure_count as "failureCount", p.sealed_secret_hash as "sealedSecretHash"
from cell.accounts a
left join cell.endpoints p on p.account_id = a.id
where a.id = $1::uuid and not a.closed
