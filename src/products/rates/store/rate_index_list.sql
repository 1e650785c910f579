-- $1 how many
-- @notnull baseDate baseValue
select
  index.id, index.name, index.currency, index.base_date::text as "baseDate", index.base_value::text as "baseValue",
  index.basket, index.weekday, index.hour_utc as "hourUtc", index.next_at as "nextAt", index.created_at as "createdAt",
  index.exchange_rates as "exchangeRates"
from cell.rate_indices as index
order by index.id
limit $1
