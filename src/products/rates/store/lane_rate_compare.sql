-- Of each rate that is to be stored, in their order, the one in force with the same lane, layer and first day, and
-- whether it is the same in everything; null where there is none.
select before.id, before.is_same as "isSame"
from unnest($1::uuid[], $2::int4[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
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
order by loaded.place
