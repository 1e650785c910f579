delete from directory.outbox where id = any ($1::bigint[])
