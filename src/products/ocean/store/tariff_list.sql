-- @notnull validFrom
-- @null $1
select
  id, carrier, port, equipment, valid_from::text as "validFrom", valid_to::text as "validTo", terms,
  created_at as "createdAt"
from directory.tariffs
where $1::text is null or carrier = $1
order by carrier, port nulls first, equipment nulls first, valid_from
limit $2
