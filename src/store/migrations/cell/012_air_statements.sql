-- What the kept texts say of each air waybill. A text may tell of hundreds, and whoever looks at one of them
-- should not read all of it again.
drop index air_messages_by_awb;
alter table air_messages drop column awbs;

create table air_statements (
  message_id uuid not null references air_messages (id) on delete cascade,
  -- The statement's place in the text.
  number integer not null,
  awb text not null check (awb ~ '^[0-9]{11}$'),
  -- When the text came.
  received_at timestamptz not null,
  -- JSON.
  statement text not null,
  primary key (message_id, number)
);

create index air_statements_by_awb on air_statements (awb, received_at);
