-- The newest texts that tell of an air waybill, oldest first.
select received_at as "receivedAt", message
from (
  select id, received_at, message
  from cell.air_messages
  where awbs @> array[$1::text]
  order by received_at desc, id desc
  limit $2::integer
) newest
order by received_at, id
