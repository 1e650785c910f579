-- Gives claimed messages back: they are due at $2.
update cell.outbox set due_at = $2 where id = any ($1::bigint[])
