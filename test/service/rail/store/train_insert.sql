-- $1 id · $2 account · $3 number
insert into cell.trains (id, account_id, train)
values ($1::uuid, $2::uuid, $3::integer)
