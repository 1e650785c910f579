-- $9 their ids · $10 the time
insert into cell.lane_rates
  (id, lane_id, layer, valid_from, valid_to, base, total, surcharges, terms, loaded_at)
select
  id, lane_id, layer, valid_from::date, valid_to::date, base::bigint, total::bigint, surcharges, terms, $10
from unnest(
  $1::uuid[], $2::int4[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::uuid[]
) as loaded (lane_id, layer, valid_from, valid_to, base, total, surcharges, terms, id)
