-- The newest that was said of an air waybill, oldest first.
select statement
from (
  select message_id, number, received_at, statement
  from cell.air_statements
  where awb = $1::text
  order by received_at desc, message_id desc, number desc
  limit $2::integer
) newest
order by received_at, message_id, number
