-- What converts on a day: of each source and currency the last rate of that day and the days before it.
-- $1 the source, null: all · $2 the day · $3 how many days before it
-- @null $1
-- @notnull dated rate
select distinct on (known.source, known.currency)
  known.source, source.base, known.currency, known.dated::text as dated, trim_scale(known.rate)::text as rate
from cell.exchange_rates as known
join cell.exchange_sources as source on source.source = known.source
where ($1::text is null or known.source = $1::text)
  and known.dated between $2::date - $3::integer and $2::date
order by known.source, known.currency, known.dated desc
