-- How many of some rates there are already, with the same number and with another.
-- $1 their sources · $2 days · $3 currencies · $4 rates
-- @notnull same other
select
  count(*) filter (where known.rate = wanted.rate::numeric(24, 12))::integer as same,
  count(*) filter (where known.rate <> wanted.rate::numeric(24, 12))::integer as other
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as wanted (source, dated, currency, rate)
join cell.exchange_rates as known
  on known.source = wanted.source
  and known.dated = wanted.dated::date
  and known.currency = wanted.currency
