-- $1 the feed · $2 what it was asked · $3 the carrier · $4 … $8 the columns in their order · $9 the time
insert into cell.routings (feed, asked, carrier, way, origin, destination, departure_at, legs, updated_at)
select $1, $2, $3, way, origin, destination, departure_at, legs, $9
from unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
  as published (way, origin, destination, departure_at, legs)
on conflict (feed, asked, way) do update
set departure_at = excluded.departure_at, legs = excluded.legs, updated_at = excluded.updated_at
