-- The rates that were loaded last, with their lanes and what the standard rate before each came to; ids are in order
-- of time.
--
-- $1 behind this rate, null: from the first · $2 how many
-- @notnull id laneId origin destination equipment carrier currency kind contract commodity layer base
-- @notnull total surcharges terms validFrom loadedAt
-- @null $1
select
  rate.id, lane.id as "laneId", lane.origin, lane.destination, lane.equipment, lane.carrier, lane.currency,
  lane.kind, lane.contract, lane.commodity, rate.layer, rate.base::text, rate.total::text, rate.surcharges,
  rate.terms, rate.valid_from::text as "validFrom",
  rate.valid_to::text as "validTo", rate.loaded_at as "loadedAt", rate.ended_at as "endedAt",
  rate.ended_by as "endedBy", before.total::text as "oldTotal"
from (
  select * from cell.lane_rates as loaded
  where $1::uuid is null or loaded.id < $1
  order by loaded.id desc
  limit $2
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
order by rate.id desc
