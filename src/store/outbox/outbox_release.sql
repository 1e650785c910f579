-- Gives messages that were claimed for the cell $1 back: they are due at $3.
update cell.outbox set due_at = $3 where cell = $1 and id = any ($2::bigint[])
