-- name: reliability_advance :exec
-- @day the day up to which all is worked out
insert into cell.schedule_days as known (reliability_until)
values (@day::date)
on conflict (only_row) do update set reliability_until = greatest(known.reliability_until, excluded.reliability_until);

-- name: reliability_read_day :maybe
-- @notnull until
select reliability_until::text as until from cell.schedule_days;

-- name: service_day_insert :many
-- Another node may have written the day: its rows stay, and are not returned.
-- `on_time` and `measured` count calls.
insert into cell.service_reliability (carrier, service, day, on_time, measured, reference)
select carrier, service, @day::date, on_time, measured, reference
from @services (carrier text, service text, on_time integer, measured integer, reference integer null) as window_of
order by carrier, service
on conflict do nothing
returning carrier, service;

-- name: service_day_list :many
-- How services came out on a day, by carrier and service.
--
-- @carrier carrier, null: any · @service service, null: any · @behind behind this service
-- @null @carrier @service
select carrier, service, on_time as "onTime", measured, reference
from cell.service_reliability
where day = @day::date and (carrier, service) > (@behind.carrier, @behind.service)
  and (@carrier::text is null or carrier = @carrier)
  and (@service::text is null or service = @service)
order by carrier, service
limit @limit;

-- name: service_day_list_of_carriers :many
-- How carriers came out on a day, all their services together.
--
-- @carrier carrier, null: any
-- @notnull onTime measured
-- @null @carrier
select carrier, sum(on_time)::integer as "onTime", sum(measured)::integer as measured
from cell.service_reliability
where day = @day::date and (@carrier::text is null or carrier = @carrier)
group by carrier
order by carrier
limit @carriersMax;

-- name: service_day_prune :one
-- @notnull count
with old as (
  select carrier, service, day
  from cell.service_reliability
  where day < @before::date
  order by day
  limit @limit
  for update skip locked
),
gone as (
  delete from cell.service_reliability as kept using old
  where kept.carrier = old.carrier and kept.service = old.service and kept.day = old.day
  returning kept.day
)
select count(*)::integer as count from gone;

-- name: service_day_trend :many
-- How services came out on a day and on the same day of the weeks before, by carrier, service and day.
--
-- @day the last day · @services services, one of each carrier · @weeks how many weeks, the last one included
-- @notnull carrier service day onTime measured
select scored.carrier, scored.service, scored.day::text as day, scored.on_time as "onTime", scored.measured
from @services (carrier text, service text) as wanted
cross join generate_series(0, @weeks::integer - 1) as weeks (ago)
inner join cell.service_reliability as scored
  on scored.carrier = wanted.carrier and scored.service = wanted.service and scored.day = @day::date - 7 * weeks.ago
order by scored.carrier, scored.service, scored.day;

-- name: service_window_list :many
-- How the services of a page came out over a window, and what their falls were counted from until now.
--
-- @after the day before the window · @until its last day · @behind behind this service
-- @notnull carrier service onTime measured
with windows as (
  select
    carrier, service, count(*) filter (where on_time)::integer as on_time, count(*)::integer as measured
  from cell.port_calls
  where (carrier, service) > (@behind.carrier, @behind.service) and service <> '' and measured_on > @after::date and measured_on <= @until::date
  group by carrier, service
  order by carrier, service
  limit @limit
)
select
  windows.carrier, windows.service, windows.on_time as "onTime", windows.measured, before.reference
from windows
left join lateral (
  select reference
  from cell.service_reliability as earlier
  where earlier.carrier = windows.carrier and earlier.service = windows.service and earlier.day < @until::date
  order by earlier.day desc
  limit 1
) as before on true
order by windows.carrier, windows.service;
