-- $1 shipments · $2 their polls, which nobody claims until the account is open
with known as (
  insert into cell.shipments
    (id, account_id, product, reference, identifier_type, carrier_hint, carrier, status, eta, record, ended_at,
     created_at, changes_at, vessels, vessels_from, vessels_until, transport_documents, awaited_sailings,
     position, attention, given_references)
  select
    id, account_id, product, reference, identifier_type, carrier_hint, carrier, status, eta, record, ended_at,
    created_at, changes_at, vessels, vessels_from, vessels_until, transport_documents, awaited_sailings,
    position, attention, given_references
  from json_to_recordset($1::text::json)
    as moved (
      id uuid, account_id uuid, product text, reference text, identifier_type text, carrier_hint text, carrier text,
      status text, eta timestamptz, record text, ended_at timestamptz, created_at timestamptz,
      changes_at timestamptz, vessels text[], vessels_from timestamptz, vessels_until timestamptz,
      transport_documents text[], awaited_sailings text[], position text, attention text,
      given_references text
    )
  on conflict (id) do update
  set identifier_type = excluded.identifier_type, carrier = excluded.carrier, status = excluded.status,
      eta = excluded.eta, record = excluded.record, ended_at = excluded.ended_at,
      changes_at = excluded.changes_at, vessels = excluded.vessels, vessels_from = excluded.vessels_from,
      vessels_until = excluded.vessels_until, transport_documents = excluded.transport_documents,
      awaited_sailings = excluded.awaited_sailings, position = excluded.position,
      attention = excluded.attention, given_references = excluded.given_references
)
insert into cell.polls
  (shipment_id, source, next_poll_at, lease, leased_until, failures, failure, refreshed_at, answer_digest)
select shipment_id, source, next_poll_at, lease, 'infinity', failures, failure, refreshed_at, answer_digest
from json_to_recordset($2::text::json)
  as moved (
    shipment_id uuid, source text, next_poll_at timestamptz, lease integer, failures integer, failure text,
    refreshed_at timestamptz, answer_digest bytea
  )
on conflict (shipment_id) do update
set source = excluded.source, next_poll_at = excluded.next_poll_at, lease = excluded.lease,
    leased_until = 'infinity', failures = excluded.failures, failure = excluded.failure,
    refreshed_at = excluded.refreshed_at, answer_digest = excluded.answer_digest
