-- What whoever tracks a shipment says of its other references, JSON by kind (`booking`): some carriers can only be asked
-- with two. Null: nothing.
alter table shipments add column given_references text check (length(given_references) between 2 and 1000);
