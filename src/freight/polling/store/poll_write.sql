-- Writes the results of polls and releases their claims. A result whose claim another node has taken over matches
-- no row and writes nothing, even beside the other node's. Returns the claims that held.
--
-- $1, $2 claims · $3, $4 next_poll_at as it was claimed, and the next · $5, $6 failures · $7 the last
-- answer, null where there was none · $8 its digest, likewise · $9 to $23 the shipment as it is known
-- now, its carrier null where nothing of it has changed, and empty where no carrier has been found
with results as (
  select *
  from unnest(
    $1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[], $5::integer[], $6::text[],
    $7::timestamptz[], $8::bytea[],
    $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[], $14::timestamptz[],
    $15::timestamptz[], $16::timestamptz[], $17::text[], $18::timestamptz[], $19::timestamptz[], $20::text[],
    $21::text[], $22::text[], $23::text[]
  ) as result (
    id, lease, claimed_next_poll_at, next_poll_at, failures, failure,
    refreshed_at, answer_digest,
    carrier, identifier_type, status, eta, record, ended_at,
    claimed_changes_at, changes_at, vessels, vessels_from, vessels_until, transport_documents, awaited_sailings,
    position, attention
  )
),
held as (
  update cell.polls as poll
  set source = coalesce(nullif(result.carrier, ''), poll.source),
      -- A poll was requested during this one: it stays due.
      next_poll_at = case
        when poll.next_poll_at is not distinct from result.claimed_next_poll_at then result.next_poll_at
        else poll.next_poll_at
      end,
      leased_until = null,
      failures = result.failures,
      failure = result.failure,
      refreshed_at = coalesce(result.refreshed_at, poll.refreshed_at),
      answer_digest = coalesce(result.answer_digest, poll.answer_digest)
  from results as result
  where poll.shipment_id = result.id and poll.lease = result.lease and poll.leased_until is not null
  returning poll.shipment_id, poll.lease
),
known as (
  update cell.shipments as shipment
  set carrier = nullif(result.carrier, ''),
      identifier_type = coalesce(result.identifier_type, shipment.identifier_type),
      status = result.status,
      eta = result.eta,
      record = result.record,
      ended_at = result.ended_at,
      -- Likewise.
      changes_at = case
        when shipment.changes_at is not distinct from result.claimed_changes_at then result.changes_at
        else shipment.changes_at
      end,
      vessels = string_to_array(result.vessels, ','),
      vessels_from = result.vessels_from,
      vessels_until = result.vessels_until,
      transport_documents = string_to_array(result.transport_documents, ','),
      awaited_sailings = string_to_array(result.awaited_sailings, ','),
      position = result.position,
      attention = result.attention
  from held
  join results as result on result.id = held.shipment_id and result.lease = held.lease
  where result.carrier is not null and shipment.id = result.id
),
-- What was pushed of a shipment without a record says nothing of it.
spent as (
  update cell.shipments as shipment
  set changes_at = null
  from held
  join results as result on result.id = held.shipment_id and result.lease = held.lease
  where result.carrier is null and shipment.id = result.id
    and shipment.status = 'pending' and shipment.changes_at = result.claimed_changes_at
)
select shipment_id as id, lease from held
