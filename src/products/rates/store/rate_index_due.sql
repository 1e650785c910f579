-- The index that is due first. $1 the time
-- @notnull baseDate baseValue
select
  index.id, index.name, index.currency, index.base_date::text as "baseDate", index.base_value::text as "baseValue",
  index.basket, index.weekday, index.hour_utc as "hourUtc", index.next_at as "nextAt", index.created_at as "createdAt",
  index.exchange_rates as "exchangeRates"
from cell.rate_indices as index
where index.next_at <= $1
order by index.next_at, index.id
limit 1
