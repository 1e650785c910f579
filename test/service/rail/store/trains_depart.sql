update cell.trains
set departed = true
where not departed and train % 2 = 0
returning account_id as "accountId", train
