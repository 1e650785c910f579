-- Held for as long as the node's own connection lives, so that its death is seen at once. The key is
-- made of a name of the cell's ($2) and the node's number.
select pg_advisory_lock(hashtext($2), $1::integer)
