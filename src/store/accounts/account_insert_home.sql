insert into cell.accounts (id) values ($1::uuid)
