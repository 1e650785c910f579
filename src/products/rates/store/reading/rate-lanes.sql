-- part: lane_shown
-- A lane with the rate that holds.
lane.id, lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind,
  lane.contract, lane.commodity, holds.id as "rateId", holds.layer, holds.base::text, holds.total::text,
  holds.surcharges, holds.terms, holds.valid_from::text as "validFrom", holds.valid_to::text as "validTo", holds.loaded_at as "loadedAt"

-- part: lane_filter
-- @equipment, @carrier (empty for the market's), @kind (empty: not stated), @contract and @commodity, null: any
and (@equipment::text is null or lane.equipment = @equipment)
    and (@carrier::text is null or lane.carrier = @carrier)
    and (@kind::text is null or lane.kind = @kind)
    and (@contract::text is null or lane.contract = @contract)
    and (@commodity::text is null or lane.commodity = @commodity)

-- part: rate_that_holds
-- The rate of `lane` that holds on a day: a promotion, or what was loaded last for it, until what follows begins.
left join lateral (
  select
    rate.id, rate.layer, rate.base, rate.total, rate.surcharges, rate.terms, rate.valid_from, rate.loaded_at,
    case when rate.layer > 0 then rate.valid_to else least(
      rate.valid_to,
      (
        select min(later.valid_from) from cell.lane_rates as later
        where later.lane_id = lane.id and later.layer = 0 and later.ended_at is null
          and later.valid_from > @day::date
      ) - 1
    ) end as valid_to
  from (
    (
      select * from cell.lane_rates as promotion
      where promotion.lane_id = lane.id and promotion.layer = 1 and promotion.ended_at is null
        and promotion.valid_from <= @day::date and promotion.valid_to >= @day::date
      order by promotion.valid_from desc
      limit 1
    )
    union all
    (
      select * from cell.lane_rates as began
      where began.lane_id = lane.id and began.layer = 0 and began.ended_at is null
        and began.valid_from <= @day::date
      order by began.valid_from desc
      limit 1
    )
  ) as rate
  where rate.valid_to is null or rate.valid_to >= @day::date
  order by rate.layer desc
  limit 1
) as holds on true

-- name: rate_lane_get :maybe
-- One lane with the rate that holds on a day.
-- @notnull id origin destination equipment carrier currency kind contract commodity
-- @together rateId layer base total surcharges terms validFrom loadedAt
select @@lane_shown
from cell.rate_lanes as lane
@@rate_that_holds
where lane.id = @id;

-- name: rate_lane_list :many
-- A page of lanes in their order, each with the rate that holds on a day; along the key, from the origin if one is
-- asked for.
--
-- @origin, @destination, @equipment, @carrier (empty for the market's), @kind (empty: not stated), @contract and
-- @commodity, null: any
-- @after behind this lane, empty: from the first
-- @notnull id origin destination equipment carrier currency kind contract commodity
-- @null @origin @destination @equipment @carrier @kind @contract @commodity
-- @together rateId layer base total surcharges terms validFrom loadedAt
select @@lane_shown
from (
  select lane.*
  from cell.rate_lanes as lane
  where lane.origin >= coalesce(@origin::text, '')
    and lane.origin <= coalesce(@origin::text, '~')
    and (@destination::text is null or lane.destination = @destination)
    @@lane_filter
    and (
      lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract,
      lane.commodity
    ) > (@after.origin, @after.destination, @after.equipment, @after.carrier, @after.currency, @after.kind, @after.contract, @after.commodity)
  order by
    lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract,
    lane.commodity
  limit @limit
) as lane
@@rate_that_holds
order by
  lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity;

-- name: rate_lane_list_to :many
-- As rate_lane_list, of all origins to one destination, along the index that begins with it.
--
-- @equipment, @carrier (empty for the market's), @kind (empty: not stated), @contract and @commodity, null: any
-- @after behind this lane, empty: from the first
-- @notnull id origin destination equipment carrier currency kind contract commodity
-- @null @equipment @carrier @kind @contract @commodity
-- @together rateId layer base total surcharges terms validFrom loadedAt
select @@lane_shown
from (
  select lane.*
  from cell.rate_lanes as lane
  where lane.destination = @destination
    @@lane_filter
    and (
      lane.origin, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity
    ) > (@after.origin, @after.equipment, @after.carrier, @after.currency, @after.kind, @after.contract, @after.commodity)
  order by lane.origin, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity
  limit @limit
) as lane
@@rate_that_holds
order by lane.origin, lane.equipment, lane.carrier, lane.currency, lane.kind, lane.contract, lane.commodity;
