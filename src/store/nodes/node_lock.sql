-- Held for as long as the node's own connection lives, so that its death is seen at once. The key is
-- made of the schema's name and the node's number.
select pg_advisory_lock(hashtext('cell.nodes'), $1::integer)
