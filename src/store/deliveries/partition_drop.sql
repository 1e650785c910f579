-- @notnull day
select day::text as day from cell.drop_partitions_before($1::date) as dropped (day)
