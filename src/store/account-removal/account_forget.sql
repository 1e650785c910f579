-- What the directory knows of an account that is no more. $1 the account · $2 the kind of its messages
with unsent as (
  delete from directory.outbox as waiting
  using directory.outbox_messages as message
  where message.id = waiting.id and message.kind = $2::text
    and message.payload::json ->> 'accountId' = $1::uuid::text
),
unlocked as (
  delete from directory.api_keys where account_id = $1::uuid
)
delete from directory.accounts where id = $1::uuid
