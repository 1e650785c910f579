-- The bookings and bills of lading that a shipment's carrier names beside the reference it is tracked by, as
-- normalised: callbacks about a ship's call name those, and no container. Null while none is named.
alter table shipments add column papers text[];

create index shipments_by_paper on shipments using gin (papers) where papers is not null;
