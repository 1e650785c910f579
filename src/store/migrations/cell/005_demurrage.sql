-- Since when demurrage alerting is armed; null: it is not. Written in one transaction with the directory's
-- flag, and kept here for those who look at shipments, who read nothing outside their cell.
alter table accounts add column demurrage_armed_at timestamptz;
