-- @notnull made
select cell.make_partitions($1::date, $2::date) as made
