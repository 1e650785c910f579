-- name: train_insert :exec
insert into cell.trains (id, account_id, train)
select @id::uuid, @accountId::uuid, @train::integer
where exists (select from cell.accounts a where a.id = @accountId::uuid and not a.closed);

-- name: trains_depart :many
update cell.trains
set departed = true
where not departed and train % 2 = 0
returning account_id as "accountId", train;
