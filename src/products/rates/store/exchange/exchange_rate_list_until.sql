-- What a source has of some currencies on a day and the days before it, the latest day first.
-- $1 the source · $2 the day · $3 how many days before it · $4 the currencies
-- @notnull dated rate
select source.base, known.dated::text as dated, known.currency, trim_scale(known.rate)::text as rate
from cell.exchange_rates as known
join cell.exchange_sources as source on source.source = known.source
where known.source = $1
  and known.dated between $2::date - $3::integer and $2::date
  and known.currency = any($4::text[])
order by known.dated desc, known.currency
