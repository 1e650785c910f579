-- For each cell, what waits.
--
-- $1 numbers of cells · $2 the rows of one that are counted at most
-- @notnull cell count behindKib
select number as cell,
  (select count(*)::integer from (select from cell.outbox where cell = number limit $2) as counted) as count,
  (select created_at from cell.outbox_messages as message where message.id = first.id) as "oldestAt",
  coalesce((select last - first.id from cell.outbox_numbers), 0)::float8 as "behindKib"
from unnest($1::integer[]) as number
left join lateral (select id from cell.outbox where cell = number order by id limit 1) as first on true
