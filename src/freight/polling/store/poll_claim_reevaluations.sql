-- Claims the shipments that time alone changes, whatever their carrier.
--
-- $1 the time · $2 when the claims end · $3 how many · $4 the product
with changing as (
  select poll.shipment_id
  from cell.shipments as shipment
  join cell.polls as poll on poll.shipment_id = shipment.id
  where shipment.product = $4
    and shipment.changes_at <= $1
    and (poll.leased_until is null or poll.leased_until <= $1)
  order by shipment.changes_at
  limit $3
  for update of poll skip locked
),
claimed as (
  update cell.polls as poll
  set lease = poll.lease + 1, leased_until = $2
  from changing
  where poll.shipment_id = changing.shipment_id
  returning poll.*
)
select
  shipment.id, shipment.account_id as "accountId", shipment.reference,
  shipment.identifier_type as "identifierType", shipment.carrier_hint as "carrierHint", shipment.carrier,
  shipment.status, shipment.eta, shipment.ended_at as "endedAt", shipment.changes_at as "changesAt",
  shipment.created_at as "createdAt", claimed.source, claimed.next_poll_at as "nextPollAt", claimed.lease,
  claimed.failures, claimed.failure, claimed.refreshed_at as "refreshedAt", claimed.answer_digest as "answerDigest",
  -- A scalar, which is looked up row by row, however many accounts there were when this was planned.
  (select account.demurrage_armed_at from cell.accounts as account where account.id = shipment.account_id)
    as "armedAt"
from claimed
join cell.shipments as shipment on shipment.id = claimed.shipment_id
