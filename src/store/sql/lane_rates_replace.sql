-- Ends the rates in whose place others are loaded: of the same lane and first day, and not the same. $7 the time
update directory.lane_rates as rate
set ended_at = $7, ended_by = 'replaced'
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
  as loaded (lane_id, valid_from, valid_to, base, total, surcharges)
where rate.lane_id = loaded.lane_id
  and rate.valid_from = loaded.valid_from::date
  and rate.ended_at is null
  and (rate.valid_to, rate.base, rate.total, rate.surcharges)
    is distinct from (loaded.valid_to::date, loaded.base::bigint, loaded.total::bigint, loaded.surcharges)
returning rate.id
