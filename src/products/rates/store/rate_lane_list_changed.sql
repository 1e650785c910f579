-- The lanes of which something is no longer as it was noted: the rate that holds, or when time changes it. Each with
-- the rate that held and the one that holds. Of the rates of a lane the one that began last holds, to its own last
-- day or the day before the next one begins; without one, the last that began ended before "endedOn".
--
-- $1 lanes · $2 the day
-- @notnull id origin destination equipment carrier currency hasHadRate changesRaised
select
  lane.id, lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency,
  lane.has_had_rate as "hasHadRate", lane.changes_raised as "changesRaised",
  was.base::text as "oldBase", was.total::text as "oldTotal", was.surcharges as "oldSurcharges",
  holds.id as "newId", holds.base::text as "newBase", holds.total::text as "newTotal",
  holds.surcharges as "newSurcharges", holds.valid_from::text as "validFrom",
  ends.valid_to::text as "validTo", ends.changes_on::text as "changesOn", (began.valid_to + 1)::text as "endedOn"
from unnest($1::uuid[]) as looked (id)
join cell.rate_lanes as lane on lane.id = looked.id
left join cell.lane_rates as was on was.id = lane.valid_rate_id
left join lateral (
  select * from cell.lane_rates as rate
  where rate.lane_id = lane.id and rate.ended_at is null and rate.valid_from <= $2::date
  order by rate.valid_from desc
  limit 1
) as began on true
left join lateral (
  select rate.valid_from from cell.lane_rates as rate
  where rate.lane_id = lane.id and rate.ended_at is null and rate.valid_from > $2::date
  order by rate.valid_from
  limit 1
) as next on true
left join lateral (
  select began.* where began.valid_to is null or began.valid_to >= $2::date
) as holds on true
cross join lateral (
  select
    least(holds.valid_to, next.valid_from - 1) as valid_to,
    least(holds.valid_to + 1, next.valid_from) as changes_on
) as ends
where lane.valid_rate_id is distinct from holds.id or lane.changes_on is distinct from ends.changes_on
