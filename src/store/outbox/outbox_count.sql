-- For each cell, what waits.
--
-- $1 numbers of cells · $2 the rows of one that are counted at most
-- @notnull cell count
select number as cell,
  (select count(*)::integer from (select from cell.outbox where cell = number limit $2) as counted) as count,
  (select created_at from cell.outbox where cell = number order by id limit 1) as "oldestAt"
from unnest($1::integer[]) as number
