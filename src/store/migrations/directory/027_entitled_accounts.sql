-- Finds the few accounts that receive what happens to all, whenever something has happened.
create index accounts_by_entitlement on accounts using gin (entitlements);
