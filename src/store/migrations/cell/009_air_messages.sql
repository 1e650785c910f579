-- What airlines push: texts of Cargo-IMP, as they came. They are kept whether they can be read or not, and
-- in the first cell only, since an air waybill has no account.
create table air_messages (
  id uuid primary key,
  -- SHA-256 of the text: what comes twice is kept once.
  digest bytea not null unique check (length(digest) = 32),
  received_at timestamptz not null,
  -- The air waybills that it tells of, eleven digits each; none where nothing of it could be read.
  awbs text[] not null,
  message bytea not null,
  -- What is wrong with it; null: all of it was read.
  problem text
);

create index air_messages_by_awb on air_messages using gin (awbs);
create index air_messages_by_age on air_messages (received_at);
