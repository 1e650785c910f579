delete from cell.load_plans
where account_id = $1 and id = $2
returning id
