-- An account that comes; closed until it is here as a whole.
insert into cell.accounts (id, routing_version, demurrage_armed_at, last_arming, moving, closed)
select id, routing_version, demurrage_armed_at, last_arming, true, true
from json_to_recordset($1::text::json)
  as moved (id uuid, routing_version bigint, demurrage_armed_at timestamptz, last_arming bigint)
on conflict (id) do update
set routing_version = excluded.routing_version,
    demurrage_armed_at = excluded.demurrage_armed_at,
    last_arming = excluded.last_arming
where accounts.closed
