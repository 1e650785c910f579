-- $1 id · $2 account · $3 number
insert into cell.trains (id, account_id, train)
select $1::uuid, $2::uuid, $3::integer
where exists (select from cell.accounts a where a.id = $2::uuid and not a.closed)
