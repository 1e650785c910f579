-- Shipments of other products than ocean's are tracked and polled likewise: a waybill is one of air's. Its
-- carrier is the lane in which it is polled, `air:` and the airline's prefix, which no SCAC can be.
drop view tracked;

alter table shipments
  add column product text not null default 'tracking',
  drop constraint shipments_account_id_reference_key,
  add constraint shipments_reference_key unique (account_id, product, reference);

-- Every list is of one account and one product.
drop index shipments_by_account;
create index shipments_by_account on shipments (account_id, product, id);
drop index shipments_by_status;
create index shipments_by_status on shipments (account_id, product, status, id);
drop index shipments_by_carrier;
create index shipments_by_carrier on shipments
  (account_id, product, (coalesce(carrier, carrier_hint, '')), status, id);

-- What time alone changes is looked at by each product for itself.
drop index shipments_changing;
create index shipments_changing on shipments (product, changes_at)
  where changes_at is not null and status <> 'pending';

create view tracked as
select shipments.*, polls.next_poll_at, polls.failures, polls.failure, polls.refreshed_at
from shipments
join polls on polls.shipment_id = shipments.id;
