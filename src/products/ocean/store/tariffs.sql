-- name: tariff_count :one
-- @notnull count
select count(*)::integer as count from directory.tariffs;

-- name: tariff_delete :maybe
delete from directory.tariffs where id = @id returning carrier;

-- name: tariff_list :many
-- By carrier, port, equipment and first day.
-- @carrier null: of all · @behind behind this key, null: from the first
-- @notnull validFrom key
-- @null @carrier @behind
select
  id, carrier, port, equipment, valid_from::text as "validFrom", valid_to::text as "validTo", terms,
  created_at as "createdAt", key
from directory.tariffs
cross join lateral (
  select concat_ws(' ', carrier, coalesce(port, ''), coalesce(equipment, ''), valid_from) collate "C" as key
) as ordered
where (@carrier::text is null or carrier = @carrier)
  and (@behind::text is null or key > @behind)
order by key
limit @limit;

-- name: tariff_upsert :exec
-- All or none; one of the same carrier, port, equipment and first day takes the place of the one there was.
insert into directory.tariffs (id, carrier, port, equipment, valid_from, valid_to, terms, created_at)
select id, carrier, port, equipment, valid_from::date, valid_to::date, terms, @at
from @tariffs (
  id uuid, carrier text, port text null, equipment text null, valid_from text, valid_to text null,
  terms text
) as tariff
on conflict on constraint one_tariff_a_case do update
set valid_to = excluded.valid_to, terms = excluded.terms, created_at = excluded.created_at
returning id;
