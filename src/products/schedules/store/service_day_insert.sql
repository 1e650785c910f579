-- Another node may have written the day: its rows stay, and are not returned.
--
-- $1 the day · $2 carriers · $3 services · $4 calls on time · $5 calls measured · $6 references
insert into cell.service_reliability (carrier, service, day, on_time, measured, reference)
select carrier, service, $1::date, on_time, measured, reference
from unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[])
  as window_of (carrier, service, on_time, measured, reference)
order by carrier, service
on conflict do nothing
returning carrier, service
