-- $1 the sources · $2 days · $3 currencies · $4 rates
insert into cell.exchange_rates as known (source, dated, currency, rate)
select wanted.source, wanted.dated::date, wanted.currency, wanted.rate::numeric
from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as wanted (source, dated, currency, rate)
on conflict (source, dated, currency) do update set rate = excluded.rate where known.rate <> excluded.rate
