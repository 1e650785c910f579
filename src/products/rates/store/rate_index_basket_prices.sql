-- What lanes cost on a day, in the order in which they are named; null where no rate holds, nor one did in the days
-- before it. $6 the day · $7 how many days
-- @notnull carried
select
  rate.total::text as total,
  coalesce(rate.valid_to < $6::date, false) as carried
from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
  with ordinality as wanted (origin, destination, equipment, carrier, currency, place)
left join cell.rate_lanes as lane
  on lane.origin = wanted.origin
  and lane.destination = wanted.destination
  and lane.equipment = wanted.equipment
  and lane.carrier = wanted.carrier
  and lane.currency = wanted.currency
left join lateral (
  select began.total, began.valid_to from cell.lane_rates as began
  where began.lane_id = lane.id and began.ended_at is null and began.valid_from <= $6::date
  order by began.valid_from desc
  limit 1
) as rate on rate.valid_to is null or rate.valid_to >= $6::date - $7::integer
order by wanted.place
