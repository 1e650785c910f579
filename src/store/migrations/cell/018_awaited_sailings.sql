-- The sailings that a shipment's boxes wait for, by carrier, port, and vessel or voyage: what it is found by when a
-- schedule changes. Null while they wait for none, or nobody tells of schedules.
alter table shipments add column awaits text[];

create index shipments_by_awaited on shipments using gin (awaits) where awaits is not null;
