-- The ids of lanes, in the order in which they are named; null where there is none.
select lane.id
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  with ordinality as wanted (origin, destination, equipment, carrier, currency, place)
left join cell.rate_lanes as lane
  on lane.origin = wanted.origin
  and lane.destination = wanted.destination
  and lane.equipment = wanted.equipment
  and lane.carrier = wanted.carrier
  and lane.currency = wanted.currency
order by wanted.place
