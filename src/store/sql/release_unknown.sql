-- Gives back what the node has claimed and does not know of, since the answer to the claim was lost.
--
-- $1 the node · $2 the claimed deliveries that it knows of
update cell.queue set node = null where node = $1::integer and delivery_id <> all ($2::uuid[])
