-- Where a shipment is, as a map groups it (JSON, the same text for all shipments of one voyage or place), and what of it
-- somebody should act on, with commas between. Null: nowhere, nothing, or not written since this column exists.
alter table shipments
  add column position text,
  add column attention text;

create index shipments_by_position on shipments (account_id, product, position, id) where position is not null;
create index shipments_by_attention on shipments (account_id, product, id) where attention is not null;
