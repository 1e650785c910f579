-- name: air_message_insert :many
-- Keeps texts that are not there yet, with what they say of air waybills unless one of the newest @limit said it, which
-- fragments tell (of the words, of the kind of envelope, of the whole). Says which texts are new, and which of them say
-- something new.
-- @notnull id saysNew
with kept as (
  insert into cell.air_messages (id, digest, received_at, message, problem)
  select id, digest, @receivedAt::timestamptz, message, problem
  from @messages (id uuid, digest bytea, message bytea, problem text null) as given
  on conflict (digest) do nothing
  returning id
),
told as (
  insert into cell.air_statements (message_id, number, awb, received_at, statement)
  select said.message_id, said.number, said.awb, @receivedAt::timestamptz, said.statement
  from @statements (
    message_id uuid, number integer, awb text, statement text, words text, kind text, whole text
  ) as said
  join kept on kept.id = said.message_id
  where not exists (
    select from (
      select newest.statement
      from cell.air_statements newest
      where newest.awb = said.awb
      order by newest.received_at desc
      limit @limit::integer
    ) known
    where strpos(known.statement, said.words) > 0
      and (strpos(known.statement, said.kind) = 0 or strpos(known.statement, said.whole) > 0)
  )
  returning message_id
)
select kept.id, exists (select from told where told.message_id = kept.id) as "saysNew" from kept;

-- name: air_message_prune :one
-- Deletes texts that arrived before @before.
-- @notnull count
with old as (
  select id
  from cell.air_messages
  where received_at < @before::timestamptz
  order by received_at
  limit @limit::integer
),
forgotten as (
  delete from cell.air_messages m
  using old
  where m.id = old.id
)
select count(*)::integer as count from old;

-- name: air_statement_list :many
-- The newest that was said of an air waybill, oldest first.
select statement
from (
  select message_id, number, received_at, statement
  from cell.air_statements
  where awb = @awb::text
  order by received_at desc, message_id desc, number desc
  limit @countMax::integer
) newest
order by received_at, message_id, number;
