-- @notnull row more
select to_json(s)::text as row, to_json(p)::text as more
from cell.shipments s
join cell.polls p on p.shipment_id = s.id
where s.id = any ($1::uuid[])
