-- The sources of exchange rates, each with its first and last day, and how many currencies the last one has.
-- $1 how many
-- @notnull currencies
select
  source.source, source.base, source.loaded_at as "loadedAt", days.first::text as "first", days.last::text as "last",
  (
    select count(*)::integer from cell.exchange_rates as rate
    where rate.source = source.source and rate.dated = days.last
  ) as currencies
from cell.exchange_sources as source
cross join lateral (
  select min(rate.dated) as first, max(rate.dated) as last
  from cell.exchange_rates as rate
  where rate.source = source.source
) as days
order by source.source
limit $1
