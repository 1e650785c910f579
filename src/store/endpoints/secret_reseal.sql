-- Replaces the seals that were read. Of two rotations at once the first to come wins,
-- and both are right.
update cell.endpoints p
set sealed_secret_hash = fresh.sealed
from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as fresh (endpoint_id, was, sealed)
where p.id = fresh.endpoint_id and p.sealed_secret_hash = fresh.was
returning p.id
