-- The values of an index up to a day, the latest first. $1 the index · $2 the day, null: all · $3 how many
-- @notnull dated value
-- @null $2
select
  dated::text as dated, value::text as value, coverage, lanes_carried as "lanesCarried",
  lanes_missing as "lanesMissing", computed_at as "computedAt",
  exchange_rates as "exchangeRates"
from cell.rate_index_values
where index_id = $1 and ($2::date is null or dated <= $2::date)
order by dated desc
limit $3
