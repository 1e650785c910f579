-- When the account was last sent an e-mail about its endpoints.
alter table accounts add column mailed_at timestamptz;
