select cell from directory.accounts where id = $1::uuid
