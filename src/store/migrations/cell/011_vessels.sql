-- The vessels that a shipment's boxes are aboard of, by IMO number, and from when until when it matters what
-- they say of themselves: around their next arrival, until a berth is known. Null while none is aboard.
alter table shipments
  add column vessels text[],
  add column vessels_from timestamptz,
  add column vessels_until timestamptz,
  add constraint vessels_are_watched_for_a_time
    check ((vessels_from is null) = (vessels_until is null) and (vessels_from is null or vessels is not null));

create index shipments_by_vessel on shipments using gin (vessels) where vessels is not null;
create index shipments_near_arrival on shipments (vessels_from) where vessels_from is not null;
