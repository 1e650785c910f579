-- What lanes cost on a day, in the order in which they are named; null where no rate holds, nor one did in the days
-- before it. Of the rates of a lane those without a kind, for freight of all kinds. $6 the day · $7 how many days
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
  and lane.kind = ''
  and lane.contract = ''
  and lane.commodity = 'FAK'
left join lateral (
  -- The rate that held last, up to the day; of two on one day the one of the higher layer.
  select held.total, held.valid_to
  from (
    (
      select * from cell.lane_rates as promotion
      where promotion.lane_id = lane.id and promotion.layer = 1 and promotion.ended_at is null
        and promotion.valid_from <= $6::date
      order by least(promotion.valid_to, $6::date) desc, promotion.valid_from desc
      limit 1
    )
    union all
    (
      select * from cell.lane_rates as began
      where began.lane_id = lane.id and began.layer = 0 and began.ended_at is null and began.valid_from <= $6::date
      order by began.valid_from desc
      limit 1
    )
  ) as held
  order by least(held.valid_to, $6::date) desc, held.layer desc
  limit 1
) as rate on rate.valid_to is null or rate.valid_to >= $6::date - $7::integer
order by wanted.place
