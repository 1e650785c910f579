-- Keeps texts that are not there yet; says which of them are new, by their place.
with given as (
  select *
  from unnest($1::uuid[], $2::bytea[], $3::text[], $4::bytea[], $5::text[])
    as given (id, digest, awbs, message, problem)
),
kept as (
  insert into cell.air_messages (id, digest, received_at, awbs, message, problem)
  select id, digest, $6::timestamptz, string_to_array(awbs, ','), message, problem
  from given
  on conflict (digest) do nothing
  returning id
)
select id from kept
