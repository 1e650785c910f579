-- name: lane_rate_history :many
-- All rates that a lane ever had, by first day, the last first; of two with one first day the later load.
-- @afterId behind this rate, null: from the first
-- @notnull base total validFrom
-- @null @afterId
select
  rate.id, rate.layer, rate.base::text, rate.total::text, rate.surcharges, rate.terms,
  rate.valid_from::text as "validFrom",
  case
    when rate.ended_at is not null or rate.layer > 0 then rate.valid_to
    else least(
      rate.valid_to,
      (
        select min(later.valid_from) from cell.lane_rates as later
        where later.lane_id = rate.lane_id and later.layer = 0 and later.ended_at is null
          and later.valid_from > rate.valid_from
      ) - 1
    )
  end::text as "validTo",
  rate.loaded_at as "loadedAt", rate.ended_at as "endedAt", rate.ended_by as "endedBy"
from cell.lane_rates as rate
where rate.lane_id = @laneId
  and (
    @afterId::uuid is null
    or (rate.valid_from, rate.id) < (
      select behind.valid_from, behind.id from cell.lane_rates as behind where behind.id = @afterId
    )
  )
order by rate.valid_from desc, rate.id desc
limit @limit;

-- name: lane_rate_loaded :many
-- The rates that were loaded last, with their lanes and what the standard rate before each came to; ids are in order
-- of time.
--
-- @afterId behind this rate, null: from the first
-- @notnull id laneId origin destination equipment carrier currency kind contract commodity layer base
-- @notnull total surcharges terms validFrom loadedAt
-- @null @afterId
select
  rate.id, lane.id as "laneId", lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency,
  lane.kind, lane.contract, lane.commodity, rate.layer, rate.base::text, rate.total::text, rate.surcharges,
  rate.terms, rate.valid_from::text as "validFrom",
  rate.valid_to::text as "validTo", rate.loaded_at as "loadedAt", rate.ended_at as "endedAt",
  rate.ended_by as "endedBy", before.total::text as "oldTotal"
from (
  select * from cell.lane_rates as loaded
  where @afterId::uuid is null or loaded.id < @afterId
  order by loaded.id desc
  limit @limit
) as rate
join cell.rate_lanes as lane on lane.id = rate.lane_id
left join lateral (
  select earlier.total from cell.lane_rates as earlier
  where earlier.lane_id = rate.lane_id and earlier.layer = 0 and earlier.valid_from <= rate.valid_from
    -- A promotion goes before the standard rate of its first day, whichever was loaded first.
    and (rate.layer > 0 or (earlier.valid_from, earlier.id) < (rate.valid_from, rate.id))
  order by earlier.valid_from desc, earlier.id desc
  limit 1
) as before on true
order by rate.id desc;
