-- Claims for each source the shipments whose account has its turn, and then what has been due longest; requested
-- polls are due since 1970.
--
-- $1, $2 sources and how many of each · $3 the time · $4 when the claims end · $5 shipments whose turn it is
with in_turn as (
  select shipment_id, source
  from cell.polls
  where shipment_id = any ($5::uuid[])
    and source = any ($1::text[])
    and next_poll_at <= $3
    and (leased_until is null or leased_until <= $3)
  for update skip locked
),
due as (
  select shipment_id from in_turn
  union all
  select poll.shipment_id
  from unnest($1::text[], $2::integer[]) as wanted (source, room)
  cross join lateral (
    select shipment_id
    from cell.polls
    where polls.source = wanted.source
      and next_poll_at <= $3
      and (leased_until is null or leased_until <= $3)
      and shipment_id <> all ($5::uuid[])
    order by next_poll_at
    limit greatest(0, wanted.room - (select count(*) from in_turn where in_turn.source = wanted.source))
    for update skip locked
  ) as poll
),
claimed as (
  update cell.polls as poll
  set lease = poll.lease + 1, leased_until = $4
  from due
  where poll.shipment_id = due.shipment_id
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
