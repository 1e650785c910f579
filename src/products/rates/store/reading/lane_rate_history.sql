-- All rates that a lane ever had, by first day, the last first; of two with one first day the later load.
-- $1 the lane · $2 behind this rate, null: from the first · $3 how many
-- @notnull base total validFrom
-- @null $2
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
where rate.lane_id = $1
  and (
    $2::uuid is null
    or (rate.valid_from, rate.id) < (
      select behind.valid_from, behind.id from cell.lane_rates as behind where behind.id = $2
    )
  )
order by rate.valid_from desc, rate.id desc
limit $3
