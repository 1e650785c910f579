delete from cell.outbox where id = any ($1::bigint[])
