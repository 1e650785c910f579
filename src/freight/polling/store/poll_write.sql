-- Writes what came of looks, and gives their claims back. One whose claim has run out and was taken by
-- another matches no row, and nothing of it is written, though the other is written with it; those that held are
-- returned.
--
-- $1, $2 claims · $3, $4 next_poll_at as it was claimed, and the next · $5, $6 failures · $7 the last
-- answer, null where there was none · $8 its digest, likewise · $9 to $21 the shipment as it is known
-- now, its carrier null where nothing of it has changed
with looks as (
  select *
  from unnest(
    $1::uuid[], $2::integer[], $3::timestamptz[], $4::timestamptz[], $5::integer[], $6::text[],
    $7::timestamptz[], $8::bytea[],
    $9::text[], $10::text[], $11::text[], $12::timestamptz[], $13::text[], $14::timestamptz[],
    $15::timestamptz[], $16::timestamptz[], $17::text[], $18::timestamptz[], $19::timestamptz[], $20::text[],
    $21::text[]
  ) as look (
    id, lease, claimed_next_poll_at, next_poll_at, failures, failure,
    refreshed_at, answer_digest,
    carrier, identifier_type, status, eta, record, ended_at,
    claimed_changes_at, changes_at, vessels, vessels_from, vessels_until, transport_documents, awaited_sailings
  )
),
held as (
  update cell.polls as poll
  set source = coalesce(look.carrier, poll.source),
      -- Somebody asked for a look while this one was under way: it stays due.
      next_poll_at = case
        when poll.next_poll_at is not distinct from look.claimed_next_poll_at then look.next_poll_at
        else poll.next_poll_at
      end,
      leased_until = null,
      failures = look.failures,
      failure = look.failure,
      refreshed_at = coalesce(look.refreshed_at, poll.refreshed_at),
      answer_digest = coalesce(look.answer_digest, poll.answer_digest)
  from looks as look
  where poll.shipment_id = look.id and poll.lease = look.lease and poll.leased_until is not null
  returning poll.shipment_id, poll.lease
),
known as (
  update cell.shipments as shipment
  set carrier = look.carrier,
      identifier_type = coalesce(look.identifier_type, shipment.identifier_type),
      status = look.status,
      eta = look.eta,
      record = look.record,
      ended_at = look.ended_at,
      -- Likewise.
      changes_at = case
        when shipment.changes_at is not distinct from look.claimed_changes_at then look.changes_at
        else shipment.changes_at
      end,
      vessels = string_to_array(look.vessels, ','),
      vessels_from = look.vessels_from,
      vessels_until = look.vessels_until,
      transport_documents = string_to_array(look.transport_documents, ','),
      awaited_sailings = string_to_array(look.awaited_sailings, ',')
  from held
  join looks as look on look.id = held.shipment_id and look.lease = held.lease
  where look.carrier is not null and shipment.id = look.id
)
select shipment_id as id, lease from held
