-- The latest values of some indices, the latest of each first. $1 the indices · $2 how many of each
-- @notnull dated value
select latest.*
from unnest($1::text[]) as wanted (id)
cross join lateral (
  select
    value.index_id as "indexId", value.dated::text as dated, value.value::text as value, value.coverage,
    value.lanes_carried as "lanesCarried", value.lanes_missing as "lanesMissing", value.computed_at as "computedAt",
    value.exchange_rates as "exchangeRates"
  from cell.rate_index_values as value
  where value.index_id = wanted.id
  order by value.dated desc
  limit $2
) as latest
order by latest."indexId", latest.dated desc
