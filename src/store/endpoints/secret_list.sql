-- Sealed secrets in the order of their endpoints' ids, from behind $1 on; null: from the first on.
-- @null $1
select id as "endpointId", account_id as "accountId", sealed_secret_hash as sealed
from cell.endpoints
where $1::uuid is null or id > $1::uuid
order by id
limit $2::integer
