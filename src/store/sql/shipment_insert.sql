with made as (
  insert into cell.shipments (id, account_id, reference, identifier_type, carrier_hint, created_at)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (account_id, reference) do nothing
  returning id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at
),
polled as (
  insert into cell.polls (shipment_id, next_poll_at)
  select id, $6 from made
)
select
  true as created,
  id, reference, identifier_type, carrier_hint, carrier, status, eta, null as failure,
  null::timestamptz as refreshed_at, created_at
from made
union all
select
  false,
  id, reference, identifier_type, carrier_hint, carrier, status, eta, failure, refreshed_at, created_at
from cell.tracked
where account_id = $2 and reference = $3 and not exists (select from made)
