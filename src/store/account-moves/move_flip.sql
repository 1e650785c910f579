-- $1 the account · $2 the cell in which it lives from now on
update directory.accounts set cell = $2::smallint where id = $1::uuid
