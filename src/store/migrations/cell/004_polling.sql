-- Polling moves to a narrow table of its own. A look that finds nothing new happens every hour to every
-- shipment, and is now a small row written twice, with two small indexes, however wide the shipment's own
-- row is and however many indexes its lists need; that one is written when something has changed.
create table polls (
  shipment_id uuid primary key references shipments (id) on delete cascade,
  -- The SCAC of the carrier that knows the reference; empty until one has answered.
  lane text not null default '',
  -- Null: polling has come to its end. The distant past: asked for, before all that is merely due.
  next_poll_at timestamptz,
  -- Counts the claims; a look that was claimed anew by another node matches no row.
  lease integer not null default 0,
  -- Set while, and only while, some node looks at the shipment.
  leased_until timestamptz,
  -- Consecutive looks without an answer, and why the last one had none.
  failures integer not null default 0 check (failures >= 0),
  failure text,
  refreshed_at timestamptz,
  -- Of the last answer's bytes, by whoever read them: the same again says nothing new.
  answer_digest bytea check (length(answer_digest) <= 32),
  constraint failures_have_a_reason check (failures = 0 or failure is not null)
) with (
  -- A claim is a HOT update, and the room for it comes back as soon as the page is read again.
  fillfactor = 60,
  -- By share of the table, vacuum would come ever more rarely as it grows, and claims would walk over
  -- what was due before.
  autovacuum_vacuum_scale_factor = 0.02,
  autovacuum_analyze_scale_factor = 0.05
);

insert into polls (shipment_id, lane, next_poll_at, lease, failures, failure, refreshed_at)
select
  id, coalesce(carrier, ''), next_poll_at, lease,
  case when failure is null then 0 else failures end, failure, refreshed_at
from shipments;

-- Claims are fair by carrier; what has no carrier yet is a lane of its own.
create index polls_due on polls (lane, next_poll_at) where next_poll_at is not null;

drop index shipments_due;
alter table shipments
  drop column next_poll_at,
  drop column lease,
  drop column leased_until,
  drop column failures,
  drop column failure,
  drop column refreshed_at,
  -- When time alone changes something next; whoever wants a shipment looked at without its carrier
  -- (alerting armed, tariffs changed) writes the moment here.
  add column changes_at timestamptz;

create index shipments_changing on shipments (changes_at)
  where changes_at is not null and status <> 'pending';

-- A shipment as it is read, with what its polling says of it.
create view tracked as
select shipments.*, polls.next_poll_at, polls.failures, polls.failure, polls.refreshed_at
from shipments
join polls on polls.shipment_id = shipments.id;
