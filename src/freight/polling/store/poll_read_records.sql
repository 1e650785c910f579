-- @notnull record
select id, record
from cell.shipments
where id = any ($1::uuid[]) and record is not null
