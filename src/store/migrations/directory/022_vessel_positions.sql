-- Where a vessel was at its report, and its course over ground in degrees, where the report says so.
alter table vessels
  add column latitude double precision check (latitude between -90 and 90),
  add column longitude double precision check (longitude between -180 and 180),
  add column course double precision check (course >= 0 and course < 360),
  add constraint a_position_is_whole check ((latitude is null) = (longitude is null));
