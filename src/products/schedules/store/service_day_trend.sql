-- How services came out on a day and on the same day of the weeks before, by carrier, service and day.
--
-- $1 the last day · $2 carriers · $3 services, one of each carrier · $4 how many weeks, the last one included
-- @notnull carrier service day onTime measured
select scored.carrier, scored.service, scored.day::text as day, scored.on_time as "onTime", scored.measured
from unnest($2::text[], $3::text[]) as wanted (carrier, service)
cross join generate_series(0, $4::integer - 1) as weeks (ago)
inner join cell.service_reliability as scored
  on scored.carrier = wanted.carrier and scored.service = wanted.service and scored.day = $1::date - 7 * weeks.ago
order by scored.carrier, scored.service, scored.day
