-- name: exchange_rate_compare :one
-- How many of some rates there are already, with the same number and with another.
-- @notnull same other
select
  count(*) filter (where known.rate = wanted.rate::numeric(24, 12))::integer as same,
  count(*) filter (where known.rate <> wanted.rate::numeric(24, 12))::integer as other
from @rates (source text, dated text, currency text, rate text) as wanted
join cell.exchange_rates as known
  on known.source = wanted.source
  and known.dated = wanted.dated::date
  and known.currency = wanted.currency;

-- name: exchange_rate_count :one
-- @day the day, null: all
-- @null @day
-- @notnull count
select count(*)::integer as count from cell.exchange_rates
where source = @source and (@day::date is null or dated = @day::date);

-- name: exchange_rate_list_on :many
-- What converts on a day: of each source and currency the last rate of that day and the days before it.
-- @source the source, null: all · @daysBefore how many days before it
-- @null @source
-- @notnull dated rate
select distinct on (known.source, known.currency)
  known.source, source.base, known.currency, known.dated::text as dated, trim_scale(known.rate)::text as rate
from cell.exchange_rates as known
join cell.exchange_sources as source on source.source = known.source
where (@source::text is null or known.source = @source::text)
  and known.dated between @day::date - @daysBefore::integer and @day::date
order by known.source, known.currency, known.dated desc;

-- name: exchange_rate_list_until :many
-- What a source has of some currencies on a day and the days before it, the latest day first.
-- @daysBefore how many days before it
-- @notnull dated rate
select source.base, known.dated::text as dated, known.currency, trim_scale(known.rate)::text as rate
from cell.exchange_rates as known
join cell.exchange_sources as source on source.source = known.source
where known.source = @source
  and known.dated between @day::date - @daysBefore::integer and @day::date
  and known.currency = any(@currencies::text[])
order by known.dated desc, known.currency;

-- name: exchange_rate_remove :exec
-- @day the day, null: all
-- @null @day
delete from cell.exchange_rates
where source = @source and (@day::date is null or dated = @day::date);

-- name: exchange_rate_upsert :exec
insert into cell.exchange_rates as known (source, dated, currency, rate)
select wanted.source, wanted.dated::date, wanted.currency, wanted.rate::numeric
from @rates (source text, dated text, currency text, rate text) as wanted
on conflict (source, dated, currency) do update set rate = excluded.rate where known.rate <> excluded.rate;

-- name: exchange_source_list :many
-- The sources of exchange rates, each with its first and last day, and how many currencies the last one has.
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
limit @limit;

-- name: exchange_source_remove :exec
-- The source, if it has no rate any more.
delete from cell.exchange_sources as source
where source.source = @source
  and not exists (select from cell.exchange_rates as rate where rate.source = source.source);

-- name: exchange_source_upsert :exec
insert into cell.exchange_sources (source, base, loaded_at)
values (@source, @base, @at)
on conflict (source) do update set loaded_at = excluded.loaded_at;
