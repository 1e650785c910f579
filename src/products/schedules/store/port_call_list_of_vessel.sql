-- A vessel's last calls before a time, and its next ones from then on, in their order.
--
-- $1 the IMO number · $2 the time · $3 how many of each
-- @notnull id record at
select id, record, calls_at as at
from (
  (
    select record, calls_at, id from cell.port_calls
    where vessel_imo = $1 and calls_at < $2
    order by calls_at desc, id desc
    limit $3
  )
  union all
  (
    select record, calls_at, id from cell.port_calls
    where vessel_imo = $1 and calls_at >= $2
    order by calls_at, id
    limit $3
  )
) as call
order by calls_at, id
