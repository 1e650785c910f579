-- What was raised for an account on a product, newest first.
create index events_by_account on events (account_id, product, id);
