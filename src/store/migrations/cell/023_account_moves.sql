-- Accounts that come or leave (store/moves/move-account.ts). While one does, broadcasts that have reached every
-- account are kept.
alter table accounts add column moving boolean not null default false;

-- Nothing of the account changes here but by the move, and nothing of it is sent.
alter table accounts add column closed boolean not null default false;

alter table accounts add constraint closed_while_moving check (moving or not closed);

create index accounts_moving on accounts (id) where moving;
