-- name: secret_count_seals :many
-- How many secrets are sealed under which master key; bytes 2 to 5 of a seal are the key's fingerprint
-- (engine/secret.ts).
-- @notnull count fingerprint
select substring(sealed_secret_hash from 2 for 4) as fingerprint, count(*)::integer as count
from cell.endpoints
group by 1;

-- name: secret_list :many
-- Sealed secrets in the order of their endpoints' ids, from behind @afterId on; null: from the first on.
-- @null @afterId
select id as "endpointId", account_id as "accountId", sealed_secret_hash as sealed
from cell.endpoints
where @afterId::uuid is null or id > @afterId::uuid
order by id
limit @limit::integer;

-- name: secret_reseal :many
-- Replaces the seals that were read. Of two rotations at once the first to come wins,
-- and both are right.
update cell.endpoints p
set sealed_secret_hash = given.fresh
from @secrets (endpoint_id uuid, sealed bytea, fresh bytea) as given
where p.id = given.endpoint_id and p.sealed_secret_hash = given.sealed
returning p.id;
