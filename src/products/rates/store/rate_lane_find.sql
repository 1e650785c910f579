-- The ids of lanes, in the order in which they are named; null where there is none.
select lane.id
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
  with ordinality as wanted (origin, destination, equipment, carrier, currency, kind, contract, commodity, place)
left join cell.rate_lanes as lane
  on lane.origin = wanted.origin
  and lane.destination = wanted.destination
  and lane.equipment = wanted.equipment
  and lane.carrier = wanted.carrier
  and lane.currency = wanted.currency
  and lane.kind = wanted.kind
  and lane.contract = wanted.contract
  and lane.commodity = wanted.commodity
order by wanted.place
