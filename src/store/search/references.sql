-- part: asked_accounts
-- The account, or all of the cell.
select @accountId::uuid as id where @accountId::uuid is not null
union all
select id from cell.accounts where @accountId::uuid is null

-- name: event_list_by_reference :many
-- Ids of events that have one of these references, newest first: of each account the newest by the index, and of these.
-- @notnull id
-- @null @accountId
select distinct found.event_id as id
from (
  @@asked_accounts
) as account
cross join unnest(@references::text[]) as wanted (reference)
cross join lateral (
  select r.event_id
  from cell.event_references r
  where r.account_id = account.id and r.reference = wanted.reference
    and r.event_id < @beforeId::uuid and r.event_id >= @fromId::uuid
  order by r.event_id desc
  limit @readMax::integer
) as found
order by id desc
limit @readMax::integer;

-- name: reference_list :many
-- References that begin with a text, one step of the index for each.
-- @notnull reference
-- @null @accountId
select distinct known.reference
from (
  @@asked_accounts
) as account
cross join lateral (
  with recursive known (reference) as (
    (
      select r.reference
      from cell.event_references r
      where r.account_id = account.id and r.reference >= @text
      order by r.reference
      limit 1
    )
    union all
    select (
      select r.reference
      from cell.event_references r
      where r.account_id = account.id and r.reference > known.reference
      order by r.reference
      limit 1
    )
    from known
    where starts_with(known.reference, @text)
  )
  select known.reference from known where starts_with(known.reference, @text) limit @limit
) as known
limit @limit;
