-- name: rate_day_lock :one
-- Makes the caller the one writer of rates until its transaction ends, and the day today (@today, a date) unless the
-- lanes have come further already. Returns the day.
--
-- The first load finds empty tables and leaves them large, and plans kept from its first batch would scan them whole
-- for every line: in these transactions each batch is planned for the tables as they are.
-- @notnull day
update cell.rate_day
set day = greatest(day, @today::date)
returning day::text as day, set_config('plan_cache_mode', 'force_custom_plan', true);

-- name: rate_lane_find :many
-- The ids of lanes, in the order in which they are named; null where there is none.
select lane.id
from @lanes (
  origin text, destination text, equipment text, carrier text, currency text, kind text, contract text,
  commodity text, place ordinality
) as wanted
left join cell.rate_lanes as lane
  on lane.origin = wanted.origin
  and lane.destination = wanted.destination
  and lane.equipment = wanted.equipment
  and lane.carrier = wanted.carrier
  and lane.currency = wanted.currency
  and lane.kind = wanted.kind
  and lane.contract = wanted.contract
  and lane.commodity = wanted.commodity
order by wanted.place;

-- name: rate_lane_insert :exec
-- @createdAt the time
insert into cell.rate_lanes
  (id, origin, destination, equipment, carrier, currency, kind, contract, commodity, created_at)
select id, origin, destination, equipment, carrier, currency, kind, contract, commodity, @createdAt
from @lanes (
  id uuid, origin text, destination text, equipment text, carrier text, currency text, kind text,
  contract text, commodity text
) as lane;

-- name: rate_lane_list_changed :many
-- The lanes of which something is no longer as it was noted: the rate that holds, or when time changes it. Each with
-- the rate that held and the one that holds. Of the promotions that run, the one that began last holds; without one,
-- of the standard rates the one that began last, to its own last day or the day before the next one begins. "since"
-- is the day from which it has held; where none holds, the day after the last one did.
-- @notnull id origin destination equipment carrier currency kind contract commodity hasHadRate changesRaised
select
  lane.id, lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency, lane.kind,
  lane.contract, lane.commodity,
  lane.has_had_rate as "hasHadRate", lane.changes_raised as "changesRaised",
  was.layer as "oldLayer", was.base::text as "oldBase", was.total::text as "oldTotal",
  was.surcharges as "oldSurcharges", holds.id as "newId", holds.layer as "newLayer", holds.base::text as "newBase",
  holds.total::text as "newTotal", holds.surcharges as "newSurcharges", holds.terms as "newTerms",
  holds.valid_from::text as "validFrom", ends.valid_to::text as "validTo", ends.changes_on::text as "changesOn",
  greatest(coalesce(holds.valid_from, began.valid_to + 1), over.ended_on + 1)::text as "since"
from unnest(@laneIds::uuid[]) as looked (id)
join cell.rate_lanes as lane on lane.id = looked.id
left join cell.lane_rates as was on was.id = lane.valid_rate_id
left join lateral (
  select * from cell.lane_rates as rate
  where rate.lane_id = lane.id and rate.layer = 0 and rate.ended_at is null and rate.valid_from <= @day::date
  order by rate.valid_from desc
  limit 1
) as began on true
left join lateral (
  select rate.valid_from from cell.lane_rates as rate
  where rate.lane_id = lane.id and rate.layer = 0 and rate.ended_at is null and rate.valid_from > @day::date
  order by rate.valid_from
  limit 1
) as next on true
-- Most lanes have no promotion, and look no further.
cross join lateral (
  select
    min(rate.valid_from) as first_on,
    min(rate.valid_from) filter (where rate.valid_from > @day::date) as next_on,
    max(rate.valid_from) filter (where rate.valid_from <= @day::date and rate.valid_to >= @day::date) as runs_from
  from cell.lane_rates as rate
  where rate.lane_id = lane.id and rate.layer = 1 and rate.ended_at is null
) as promotions
left join lateral (
  select * from cell.lane_rates as rate
  where rate.lane_id = lane.id and rate.layer = 1 and rate.ended_at is null
    and rate.valid_from = promotions.runs_from
) as runs on true
cross join lateral (
  -- Only of promotions that went before the rate that holds now.
  select max(rate.valid_to) as ended_on
  from cell.lane_rates as rate
  where promotions.first_on <= @day::date
    and rate.lane_id = lane.id and rate.layer = 1 and rate.ended_at is null and rate.valid_to < @day::date
    and (promotions.runs_from is null or rate.valid_from > promotions.runs_from)
) as over
left join lateral (
  select runs.* where runs.id is not null
  union all
  select began.* where runs.id is null and began.id is not null
    and (began.valid_to is null or began.valid_to >= @day::date)
) as holds on true
cross join lateral (
  select
    case when holds.layer > 0 then holds.valid_to else least(holds.valid_to, next.valid_from - 1) end as valid_to,
    least(
      holds.valid_to + 1,
      case when holds.layer > 0 then null else next.valid_from end,
      promotions.next_on
    ) as changes_on
) as ends
where lane.valid_rate_id is distinct from holds.id or lane.changes_on is distinct from ends.changes_on;

-- name: rate_lane_list_due :many
-- Lanes whose rate the day changes.
select id
from cell.rate_lanes
where changes_on <= @day::date
order by changes_on, id
limit @limit;

-- name: rate_lane_record :exec
-- Records the rate in force on lanes, when time changes it, and whether its event was raised.
update cell.rate_lanes as lane
set
  valid_rate_id = looked.new_id,
  has_had_rate = lane.has_had_rate or looked.new_id is not null,
  changes_on = looked.changes_on::date,
  changes_raised = lane.changes_raised + looked.raised::integer
from @lanes (id uuid, new_id uuid null, changes_on text null, raised boolean) as looked
where lane.id = looked.id;
