-- One lane with the rate that holds on a day. $1 the lane · $2 the day
-- @notnull id origin destination equipment carrier currency kind contract commodity
-- @together rateId layer base total surcharges terms validFrom loadedAt
select
  lane.id, lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind,
  lane.contract, lane.commodity, holds.id as "rateId", holds.layer, holds.base::text, holds.total::text,
  holds.surcharges, holds.terms, holds.valid_from::text as "validFrom", holds.valid_to::text as "validTo", holds.loaded_at as "loadedAt"
from cell.rate_lanes as lane
left join lateral (
  select
    rate.id, rate.layer, rate.base, rate.total, rate.surcharges, rate.terms, rate.valid_from, rate.loaded_at,
    case when rate.layer > 0 then rate.valid_to else least(
      rate.valid_to,
      (
        select min(later.valid_from) from cell.lane_rates as later
        where later.lane_id = lane.id and later.layer = 0 and later.ended_at is null
          and later.valid_from > $2::date
      ) - 1
    ) end as valid_to
  from (
    (
      select * from cell.lane_rates as promotion
      where promotion.lane_id = lane.id and promotion.layer = 1 and promotion.ended_at is null
        and promotion.valid_from <= $2::date and promotion.valid_to >= $2::date
      order by promotion.valid_from desc
      limit 1
    )
    union all
    (
      select * from cell.lane_rates as began
      where began.lane_id = lane.id and began.layer = 0 and began.ended_at is null
        and began.valid_from <= $2::date
      order by began.valid_from desc
      limit 1
    )
  ) as rate
  where rate.valid_to is null or rate.valid_to >= $2::date
  order by rate.layer desc
  limit 1
) as holds on true
where lane.id = $1
