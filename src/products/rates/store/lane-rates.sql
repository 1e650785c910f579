-- name: lane_rate_compare :many
-- Of each rate that is to be stored, in their order, the one in force with the same lane, layer and first day, and
-- whether it is the same in everything; null where there is none.
select before.id, before.is_same as "isSame"
from unnest(@laneIds::uuid[], @layers::int4[], @validFroms::text[], @validTos::text[], @bases::text[], @totals::text[], @surcharges::text[], @terms::text[])
  with ordinality as loaded (lane_id, layer, valid_from, valid_to, base, total, surcharges, terms, place)
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
-- (@laneIds, @layers, @validFroms, @validTos, @bases, @totals, @surcharges, @terms, @ids, @at)
-- @ids their ids · @at the time
insert into cell.lane_rates
  (id, lane_id, layer, valid_from, valid_to, base, total, surcharges, terms, loaded_at)
select
  id, lane_id, layer, valid_from::date, valid_to::date, base::bigint, total::bigint, surcharges, terms, @at
from unnest(
  @laneIds::uuid[], @layers::int4[], @validFroms::text[], @validTos::text[], @bases::text[], @totals::text[], @surcharges::text[], @terms::text[], @ids::uuid[]
) as loaded (lane_id, layer, valid_from, valid_to, base, total, surcharges, terms, id);

-- name: lane_rate_remove :maybe
-- @rateId the rate · @at the time
update cell.lane_rates
set ended_at = @at, ended_by = 'removed'
where id = @rateId and ended_at is null
returning lane_id as "laneId";

-- name: lane_rate_replace :exec
-- Ends the rates in whose place others are loaded. @replaced the rates · @at the time
update cell.lane_rates
set ended_at = @at, ended_by = 'replaced'
where id = any (@replaced::uuid[]);
