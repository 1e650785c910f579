delete from cell.load_plans where id = any ($1::uuid[])
