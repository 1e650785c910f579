-- $10 the time
insert into cell.rate_lanes
  (id, origin, destination, equipment, carrier, currency, kind, contract, commodity, created_at)
select id, origin, destination, equipment, carrier, currency, kind, contract, commodity, $10
from unnest(
  $1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[]
) as lane (id, origin, destination, equipment, carrier, currency, kind, contract, commodity)
