-- As rate_lane_list, of all origins to one destination, along the index that begins with it.
--
-- $1 destination · $2 equipment, $3 carrier (empty for the market's), $4 kind (empty: not stated), $5 contract,
-- $6 commodity, null: any
-- $7 the day · $8 … $14 behind this lane, empty: from the first · $15 how many
-- @notnull id origin destination equipment carrier currency kind contract commodity
-- @null $2 $3 $4 $5 $6
-- @together rateId layer base total surcharges terms validFrom loadedAt
select
  lane.id, lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind,
  lane.contract, lane.commodity, holds.id as "rateId", holds.layer, holds.base::text, holds.total::text,
  holds.surcharges, holds.terms, holds.valid_from::text as "validFrom", holds.valid_to::text as "validTo", holds.loaded_at as "loadedAt"
from (
  select lane.*
  from cell.rate_lanes as lane
  where lane.destination = $1
    and ($2::text is null or lane.equipment = $2)
    and ($3::text is null or lane.carrier = $3)
    and ($4::text is null or lane.kind = $4)
    and ($5::text is null or lane.contract = $5)
    and ($6::text is null or lane.commodity = $6)
    and (
      lane.origin, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity
    ) > ($8, $9, $10, $11, $12, $13, $14)
  order by lane.origin, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity
  limit $15
) as lane
left join lateral (
  select
    rate.id, rate.layer, rate.base, rate.total, rate.surcharges, rate.terms, rate.valid_from, rate.loaded_at,
    case when rate.layer > 0 then rate.valid_to else least(
      rate.valid_to,
      (
        select min(later.valid_from) from cell.lane_rates as later
        where later.lane_id = lane.id and later.layer = 0 and later.ended_at is null
          and later.valid_from > $7::date
      ) - 1
    ) end as valid_to
  from (
    (
      select * from cell.lane_rates as promotion
      where promotion.lane_id = lane.id and promotion.layer = 1 and promotion.ended_at is null
        and promotion.valid_from <= $7::date and promotion.valid_to >= $7::date
      order by promotion.valid_from desc
      limit 1
    )
    union all
    (
      select * from cell.lane_rates as began
      where began.lane_id = lane.id and began.layer = 0 and began.ended_at is null
        and began.valid_from <= $7::date
      order by began.valid_from desc
      limit 1
    )
  ) as rate
  where rate.valid_to is null or rate.valid_to >= $7::date
  order by rate.layer desc
  limit 1
) as holds on true
order by lane.origin, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity
