-- Keeps texts ($1 to $4) that are not there yet, with what they say of air waybills ($5 to $8) unless one of the newest
-- ($13) said it, which fragments tell ($10 to $12: of the words, of the kind of envelope, of the whole); says which
-- texts are new, and which of them say something new.
-- @notnull id saysNew
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
  from unnest($5::uuid[], $6::integer[], $7::text[], $8::text[], $10::text[], $11::text[], $12::text[])
    as said (message_id, number, awb, statement, words, kind, whole)
  join kept on kept.id = said.message_id
  where not exists (
    select from (
      select newest.statement
      from cell.air_statements newest
      where newest.awb = said.awb
      order by newest.received_at desc
      limit $13::integer
    ) known
    where strpos(known.statement, said.words) > 0
      and (strpos(known.statement, said.kind) = 0 or strpos(known.statement, said.whole) > 0)
  )
  returning message_id
)
select kept.id, exists (select from told where told.message_id = kept.id) as "saysNew" from kept
