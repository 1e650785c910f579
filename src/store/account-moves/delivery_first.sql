-- The oldest delivery of each endpoint.
select (
  select d.id from cell.deliveries d where d.endpoint_id = p.id order by d.id limit 1
) as id
from unnest($1::uuid[]) as p (id)
