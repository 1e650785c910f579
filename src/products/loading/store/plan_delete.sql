delete from cell.load_plans
where account_id = $1 and id = $2
  and exists (select from cell.accounts a where a.id = $1 and not a.closed)
returning id
