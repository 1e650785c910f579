-- Those that are there already, the same in everything, stay as they are. Returns the lanes of the others. $8 the time
insert into directory.lane_rates (id, lane_id, valid_from, valid_to, base, total, surcharges, loaded_at)
select id, lane_id, valid_from::date, valid_to::date, base::bigint, total::bigint, surcharges, $8
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  as loaded (id, lane_id, valid_from, valid_to, base, total, surcharges)
on conflict (lane_id, valid_from) where ended_at is null do nothing
returning lane_id as "laneId"
