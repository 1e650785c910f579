-- What the cell $1 has applied waits for it no more.
delete from cell.outbox where cell = $1 and id = any ($2::bigint[])
