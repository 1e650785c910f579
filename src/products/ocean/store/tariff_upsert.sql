-- All or none; one of the same carrier, port, equipment and first day takes the place of the one there was.
insert into directory.tariffs (id, carrier, port, equipment, valid_from, valid_to, terms, created_at)
select id, carrier, port, equipment, valid_from::date, valid_to::date, terms, $8
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
  as tariff (id, carrier, port, equipment, valid_from, valid_to, terms)
on conflict on constraint one_tariff_a_case do update
set valid_to = excluded.valid_to, terms = excluded.terms, created_at = excluded.created_at
returning id
