-- The message of the outbox that last armed or disarmed the account: an earlier one that comes late changes nothing.
alter table accounts add column last_arming bigint not null default 0;
