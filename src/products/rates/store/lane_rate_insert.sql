-- $7 their ids · $8 the time
insert into cell.lane_rates (id, lane_id, valid_from, valid_to, base, total, surcharges, loaded_at)
select id, lane_id, valid_from::date, valid_to::date, base::bigint, total::bigint, surcharges, $8
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[])
  as loaded (lane_id, valid_from, valid_to, base, total, surcharges, id)
