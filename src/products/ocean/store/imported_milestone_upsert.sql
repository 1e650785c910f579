-- Keeps what a source states of references; says which is new, or is taken back or stated again. What is stated earlier
-- than known changes nothing, apart from being kept for longer.
--
-- $1 references · $2 digests · $3 when each was stated · $4 whether it is taken back · $5 statements, JSON · $6 the time
-- @notnull reference digest isNew
with given as (
  select *
  from unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::boolean[], $5::text[])
    as given (reference, digest, stated_at, withdrawn, statement)
),
-- As it was before this statement.
known as (
  select one.reference, one.digest
  from cell.imported_milestones as one
  join given on given.reference = one.reference and given.digest = one.digest
),
kept as (
  insert into cell.imported_milestones as one (reference, digest, stated_at, received_at, withdrawn, statement)
  select reference, digest, stated_at, $6::timestamptz, withdrawn, statement
  from given
  -- Rows are locked in one order by all who write several.
  order by reference, digest
  on conflict (reference, digest) do update
  set
    stated_at = greatest(one.stated_at, excluded.stated_at),
    received_at = excluded.received_at,
    withdrawn = case when excluded.stated_at >= one.stated_at then excluded.withdrawn else one.withdrawn end
  returning reference, digest
)
select kept.reference, kept.digest, known.reference is null as "isNew"
from kept
left join known on known.reference = kept.reference and known.digest = kept.digest
