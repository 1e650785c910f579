-- In which cells accounts live, in the order of their ids, behind $1. $2 the most
select id, cell from directory.accounts where id > $1::uuid order by id limit $2::integer
