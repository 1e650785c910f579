-- name: imported_milestone_list :many
-- What was imported of references, of each so much at most, the latest stated.
-- @notnull reference statement statedAt withdrawn
select wanted.reference, said.statement, said.stated_at as "statedAt", said.withdrawn
from unnest(@references::text[]) as wanted (reference)
cross join lateral (
  select statement, stated_at, withdrawn
  from cell.imported_milestones as one
  where one.reference = wanted.reference
  order by stated_at desc, digest
  limit @statementsMax::integer
) as said;

-- name: imported_milestone_prune :one
-- Deletes what came before @before.
-- @notnull count
with old as (
  select reference, digest
  from cell.imported_milestones
  where received_at < @before::timestamptz
  order by reference, digest
  limit @limit::integer
  for update skip locked
),
gone as (
  delete from cell.imported_milestones as one
  using old
  where one.reference = old.reference and one.digest = old.digest
  returning one.reference
)
select count(*)::integer as count from gone;

-- name: imported_milestone_upsert :many
-- Keeps what a source states of references, and returns what is new. What is known as it is given is not written again,
-- apart from once a day, so that it is kept for longer. What is stated earlier than known changes nothing.
-- A statement is JSON.
-- @notnull reference digest
with given as (
  select *
  from @milestones (
    reference text, digest bytea, stated_at timestamptz, withdrawn boolean, statement text
  ) as given
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
  select reference, digest, stated_at, @at::timestamptz, withdrawn, statement
  from compared
  where known_stated_at is null
    or stated_at > known_stated_at
    or (stated_at = known_stated_at and withdrawn <> known_withdrawn)
    or known_received_at < @at::timestamptz - interval '1 day'
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
where known_stated_at is null;
