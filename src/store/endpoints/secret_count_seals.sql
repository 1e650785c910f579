-- How many secrets are sealed under which master key; bytes 2 to 5 of a seal are the key's fingerprint
-- (engine/secret.ts).
-- @notnull count fingerprint
select substring(sealed_secret_hash from 2 for 4) as fingerprint, count(*)::integer as count
from cell.endpoints
group by 1
