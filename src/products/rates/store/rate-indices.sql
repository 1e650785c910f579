-- part: index_record
select
  index.id, index.name, index.currency, index.base_date::text as "baseDate", index.base_value::text as "baseValue",
  index.basket, index.weekday, index.hour_utc as "hourUtc", index.next_at as "nextAt", index.created_at as "createdAt",
  index.exchange_rates as "exchangeRates"
from cell.rate_indices as index

-- name: rate_index_advance :exec
-- @nextAt when it is due next
update cell.rate_indices set next_at = @nextAt where id = @id;

-- name: rate_index_basket_prices :many
-- What lanes cost on a day, in the order in which they are named; null where no rate holds, nor one did in the days
-- before it. Of the rates of a lane those without a kind, for freight of all kinds. @carriedDays how many days
-- @notnull carried
select
  rate.total::text as total,
  coalesce(rate.valid_to < @day::date, false) as carried
from @lanes (
  origin text, destination text, equipment text, carrier text, currency text, place ordinality
) as wanted
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
        and promotion.valid_from <= @day::date
      order by least(promotion.valid_to, @day::date) desc, promotion.valid_from desc
      limit 1
    )
    union all
    (
      select * from cell.lane_rates as began
      where began.lane_id = lane.id and began.layer = 0 and began.ended_at is null and began.valid_from <= @day::date
      order by began.valid_from desc
      limit 1
    )
  ) as held
  order by least(held.valid_to, @day::date) desc, held.layer desc
  limit 1
) as rate on rate.valid_to is null or rate.valid_to >= @day::date - @carriedDays::integer
order by wanted.place;

-- name: rate_index_due :maybe
-- The index that is due first.
-- @notnull baseDate baseValue
@@index_record
where index.next_at <= @at
order by index.next_at, index.id
limit 1;

-- name: rate_index_get :maybe
-- Null: there is no such index.
-- @notnull baseDate baseValue
@@index_record
where index.id = @id;

-- name: rate_index_insert :many
-- No row: there is one of that id.
-- @null @weekday @nextAt @exchangeRates
insert into cell.rate_indices
  (id, name, currency, base_date, base_value, basket, weekday, hour_utc, next_at, created_at, exchange_rates)
values (@id, @name, @currency, @baseDate::date, @baseValue::text::bigint, @basket, @weekday, @hourUtc, @nextAt, @createdAt, @exchangeRates)
on conflict (id) do nothing
returning id;

-- name: rate_index_list :many
-- By id.
-- @notnull baseDate baseValue
@@index_record
order by index.id
limit @limit;

-- name: rate_index_remove :many
delete from cell.rate_indices where id = @id returning id;

-- name: rate_index_value_insert :many
-- No row: there is a value of that date, and it stays.
-- @null @exchangeRates
insert into cell.rate_index_values
  (index_id, dated, value, coverage, lanes_carried, lanes_missing, computed_at, exchange_rates)
values (@indexId, @dated::date, @value::text::bigint, @coverage, @lanesCarried, @lanesMissing, @computedAt, @exchangeRates)
on conflict (index_id, dated) do nothing
returning index_id;

-- name: rate_index_value_list :many
-- The values of an index up to a day, the latest first. @upTo the day, null: all
-- @notnull dated value
-- @null @upTo
select
  dated::text as dated, value::text as value, coverage, lanes_carried as "lanesCarried",
  lanes_missing as "lanesMissing", computed_at as "computedAt",
  exchange_rates as "exchangeRates"
from cell.rate_index_values
where index_id = @indexId and (@upTo::date is null or dated <= @upTo::date)
order by dated desc
limit @limit;

-- name: rate_index_value_list_latest :many
-- The latest values of some indices, the latest of each first. @indexIds the indices
-- @notnull dated value
select latest.*
from unnest(@indexIds::text[]) as wanted (id)
cross join lateral (
  select
    value.index_id as "indexId", value.dated::text as dated, value.value::text as value, value.coverage,
    value.lanes_carried as "lanesCarried", value.lanes_missing as "lanesMissing", value.computed_at as "computedAt",
    value.exchange_rates as "exchangeRates"
  from cell.rate_index_values as value
  where value.index_id = wanted.id
  order by value.dated desc
  limit @limit
) as latest
order by latest."indexId", latest.dated desc;
