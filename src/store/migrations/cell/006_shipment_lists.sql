-- What shipments are listed by, and found by without an account. Each filter of the list reads along one
-- of these from its newest shipment on; without a filter it reads along shipments_by_account, and by
-- reference along the key (account_id, reference).
create index shipments_by_status on shipments (account_id, status, id);
create index shipments_by_carrier on shipments
  (account_id, (coalesce(carrier, carrier_hint, '')), status, id);

-- The public look-up asks for a reference, whoever tracks it.
create index shipments_by_reference on shipments (reference) where record is not null;
