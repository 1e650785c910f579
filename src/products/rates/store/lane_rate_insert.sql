-- $8 their ids · $9 the time
insert into cell.lane_rates (id, lane_id, layer, valid_from, valid_to, base, total, surcharges, loaded_at)
select id, lane_id, layer, valid_from::date, valid_to::date, base::bigint, total::bigint, surcharges, $9
from unnest($1::uuid[], $2::int4[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::uuid[])
  as loaded (lane_id, layer, valid_from, valid_to, base, total, surcharges, id)
