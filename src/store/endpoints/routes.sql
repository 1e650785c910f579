-- name: route_advance :many
-- Moves the account's routes on, and holds the account until the transaction ends: registrations of one
-- account wait for each other, so that each counts what the others made.
update cell.accounts set routing_version = routing_version + 1 where id = @accountId::uuid and not closed
returning id;

-- name: route_read :many
-- All that decides who receives what of one account, at one moment, the oldest endpoint first; nothing of one that is
-- closed.
-- @notnull version
-- @together id product url eventTypes active failureCount sealedSecretHash
select a.routing_version::float8 as version, p.id, p.product, p.url, p.event_types as "eventTypes",
  p.active, p.failure_count as "failureCount", p.sealed_secret_hash as "sealedSecretHash"
from cell.accounts a
left join cell.endpoints p on p.account_id = a.id
where a.id = @accountId::uuid and not a.closed
order by p.id;

-- name: target_list :many
-- The endpoints of the given ids that exist.
-- @notnull active
select p.id, p.account_id as "accountId", p.product, p.url, p.event_types as "eventTypes",
  -- Nothing is sent of an account that is closed.
  p.active and not exists (select from cell.accounts a where a.id = p.account_id and a.closed) as active,
  p.failure_count as "failureCount", p.sealed_secret_hash as "sealedSecretHash"
from unnest(@endpointIds::uuid[]) as wanted (id)
join cell.endpoints p on p.id = wanted.id;
