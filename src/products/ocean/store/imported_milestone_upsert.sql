-- Keeps what a source states of references, and returns what is new. What is known as it is given is not written again,
-- apart from once a day, so that it is kept for longer. What is stated earlier than known changes nothing.
--
-- $1 references · $2 digests · $3 when each was stated · $4 whether it is taken back · $5 statements, JSON · $6 the time
-- @notnull reference digest
with given as (
  select *
  from unnest($1::text[], $2::bytea[], $3::timestamptz[], $4::boolean[], $5::text[])
    as given (reference, digest, stated_at, withdrawn, statement)
),
-- As it was before this statement. Each is looked up by its key: the planner does not know how much is given.
compared as (
  select given.*, known.stated_at as known_stated_at, known.received_at as known_received_at,
    known.withdrawn as known_withdrawn
  from given
  left join lateral (
    select one.stated_at, one.received_at, one.withdrawn
    from cell.imported_milestones as one
    where one.reference = given.reference and one.digest = given.digest
    offset 0
  ) as known on true
),
kept as (
  insert into cell.imported_milestones as one (reference, digest, stated_at, received_at, withdrawn, statement)
  select reference, digest, stated_at, $6::timestamptz, withdrawn, statement
  from compared
  where known_stated_at is null
    or stated_at > known_stated_at
    or (stated_at = known_stated_at and withdrawn <> known_withdrawn)
    or known_received_at < $6::timestamptz - interval '1 day'
  -- Rows are locked in one order by all who write several.
  order by reference, digest
  on conflict (reference, digest) do update
  set
    stated_at = greatest(one.stated_at, excluded.stated_at),
    -- Its index does not change within a day.
    received_at = case
      when one.received_at < excluded.received_at - interval '1 day' then excluded.received_at
      else one.received_at
    end,
    withdrawn = case when excluded.stated_at >= one.stated_at then excluded.withdrawn else one.withdrawn end
)
select reference, digest
from compared
where known_stated_at is null
