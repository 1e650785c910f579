-- How the services of a page came out over a window, and what their falls were counted from until now.
--
-- $1 the day before the window · $2 its last day · $3 and $4 behind this carrier and service · $5 how many
-- @notnull carrier service onTime measured
with windows as (
  select
    carrier, service, count(*) filter (where on_time)::integer as on_time, count(*)::integer as measured
  from cell.port_calls
  where (carrier, service) > ($3, $4) and service <> '' and measured_on > $1::date and measured_on <= $2::date
  group by carrier, service
  order by carrier, service
  limit $5
)
select
  windows.carrier, windows.service, windows.on_time as "onTime", windows.measured, before.reference
from windows
left join lateral (
  select reference
  from cell.service_reliability as earlier
  where earlier.carrier = windows.carrier and earlier.service = windows.service and earlier.day < $2::date
  order by earlier.day desc
  limit 1
) as before on true
order by windows.carrier, windows.service
