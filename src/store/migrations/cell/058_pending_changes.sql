-- A shipment that no carrier has answered for may be due for re-evaluation, too: something was imported of it.
drop index shipments_changing;
create index shipments_changing on shipments (product, changes_at) where changes_at is not null;
