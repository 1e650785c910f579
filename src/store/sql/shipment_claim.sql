with due as (
  select shipment.id
  from unnest($1::text[], $2::integer[]) as lane (carrier, room)
  cross join lateral (
    select id
    from cell.shipments
    where coalesce(carrier, '') = lane.carrier
      and next_poll_at <= $3
      and (leased_until is null or leased_until <= $3)
    order by next_poll_at
    limit lane.room
    for update skip locked
  ) as shipment
)
update cell.shipments as shipment
set lease = shipment.lease + 1, leased_until = $4
from due
where shipment.id = due.id
returning
  shipment.id, shipment.account_id, shipment.reference, shipment.identifier_type, shipment.carrier_hint,
  shipment.carrier, shipment.record, shipment.next_poll_at, shipment.lease, shipment.failures,
  shipment.refreshed_at, shipment.ended_at, shipment.created_at
