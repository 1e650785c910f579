-- Keeps texts ($1 to $4) that are not there yet, with what they say of air waybills ($5 to $8); says which
-- texts are new.
with kept as (
  insert into cell.air_messages (id, digest, received_at, message, problem)
  select id, digest, $9::timestamptz, message, problem
  from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::text[]) as given (id, digest, message, problem)
  on conflict (digest) do nothing
  returning id
),
told as (
  insert into cell.air_statements (message_id, number, awb, received_at, statement)
  select said.message_id, said.number, said.awb, $9::timestamptz, said.statement
  from unnest($5::uuid[], $6::integer[], $7::text[], $8::text[])
    as said (message_id, number, awb, statement)
  join kept on kept.id = said.message_id
)
select id from kept
