with made as (
  insert into cell.shipments
    (id, account_id, reference, identifier_type, carrier_hint, next_poll_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $6)
  on conflict (account_id, reference) do nothing
  returning id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at
)
select true as created, id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at
from made
union all
select false, id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at
from cell.shipments
where account_id = $2 and reference = $3 and not exists (select from made)
