with due as (
  select poll.shipment_id
  from unnest($1::text[], $2::integer[]) as lane (carrier, room)
  cross join lateral (
    select shipment_id
    from cell.polls
    where polls.lane = lane.carrier
      and next_poll_at <= $3
      and (leased_until is null or leased_until <= $3)
    order by next_poll_at
    limit lane.room
    for update skip locked
  ) as poll
),
claimed as (
  update cell.polls as poll
  set lease = poll.lease + 1, leased_until = $4
  from due
  where poll.shipment_id = due.shipment_id
  returning poll.shipment_id, poll.next_poll_at, poll.lease, poll.failures, poll.refreshed_at
)
select
  shipment.id, shipment.account_id, shipment.reference, shipment.identifier_type, shipment.carrier_hint,
  shipment.carrier, shipment.record, claimed.next_poll_at, claimed.lease, claimed.failures,
  claimed.refreshed_at, shipment.ended_at, shipment.created_at
from claimed
join cell.shipments as shipment on shipment.id = claimed.shipment_id
