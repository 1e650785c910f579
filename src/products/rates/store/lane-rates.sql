-- name: lane_rate_compare :many
-- Of each rate that is to be stored, in their order, the one in force with the same lane, layer and first day, and
-- whether it is the same in everything; null where there is none.
select before.id, before.is_same as "isSame"
from @rates (
  lane_id uuid, layer int4, valid_from text, valid_to text null, base text, total text, surcharges text,
  terms text, place ordinality
) as loaded
-- The limit keeps the lines outermost, so that each looks its one rate up.
left join lateral (
  select
    rate.id,
    (rate.valid_to, rate.base, rate.total, rate.surcharges, rate.terms) is not distinct from (
      loaded.valid_to::date, loaded.base::bigint, loaded.total::bigint, loaded.surcharges, loaded.terms
    ) as is_same
  from cell.lane_rates as rate
  where rate.lane_id = loaded.lane_id and rate.layer = loaded.layer
    and rate.valid_from = loaded.valid_from::date and rate.ended_at is null
  limit 1
) as before on true
order by loaded.place;

-- name: lane_rate_insert :exec
insert into cell.lane_rates
  (id, lane_id, layer, valid_from, valid_to, base, total, surcharges, terms, loaded_at)
select
  id, lane_id, layer, valid_from::date, valid_to::date, base::bigint, total::bigint, surcharges, terms, @at
from @rates (
  lane_id uuid, layer int4, valid_from text, valid_to text null, base text, total text, surcharges text,
  terms text, id uuid
) as loaded;

-- name: lane_rate_remove :maybe
update cell.lane_rates
set ended_at = @at, ended_by = 'removed'
where id = @rateId and ended_at is null
returning lane_id as "laneId";

-- name: lane_rate_replace :exec
-- Ends the rates in whose place others are loaded. @replaced the rates
update cell.lane_rates
set ended_at = @at, ended_by = 'replaced'
where id = any (@replaced::uuid[]);
