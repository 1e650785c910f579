-- Calls at a port in the order of departures.
--
-- $1 the port · $2 and $3 from, and before · $4 carrier, null: any · $5 the vessel's IMO number, null: any · $6 also
-- cancelled calls · $7 behind this time, null: from the first, and $8 this call · $9 how many
-- @notnull at
-- @null $4 $5 $7 $8
select id, record, departure_at as at
from cell.port_calls
where port = $1 and departure_at >= $2 and departure_at < $3
  and ($4::text is null or carrier = $4)
  and ($5::text is null or vessel_imo = $5)
  and ($6::boolean or gone_at is null and coalesce(status, '') not in ('BLNK', 'SLID', 'OMIT', 'NDEP'))
  and ($7::timestamptz is null or (departure_at, id) > ($7, $8::uuid))
order by departure_at, id
limit $9
