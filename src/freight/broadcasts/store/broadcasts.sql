-- name: broadcast_advance :many
-- Advances the oldest of a group, when there are more accounts than one step takes.
--
-- @lastAccountId how far the group has come · @accountId the last account of this step
-- @null @lastAccountId
update cell.broadcasts
set last_account_id = @accountId::uuid
where id = (
  select id
  from cell.broadcasts
  where product = @product and type = @type and last_account_id is not distinct from @lastAccountId::uuid
  order by id
  limit 1
  for update skip locked
)
returning data, occurred_at as "occurredAt", dedup_key as "dedupKey";

-- name: broadcast_count :one
-- How many broadcasts have not reached all their accounts, and the oldest of them.
--
-- @rowsMax the most rows to count
-- @notnull count
select count(*)::float8 as count, (array_agg(id order by id))[1] as oldest
from (
  select id
  from cell.broadcasts
  order by id
  limit @rowsMax::integer
) as behind;

-- name: broadcast_finish :many
-- Removes the oldest broadcasts of a group, whose last accounts receive them now. Skips what another node holds.
--
-- @lastAccountId how far the group has come · @bytesMax bytes of their data
-- together at most; the first goes whatever it has
-- @null @lastAccountId
-- @notnull data occurredAt dedupKey
with locked as (
  select id, octet_length(data) as bytes
  from cell.broadcasts
  where product = @product and type = @type and last_account_id is not distinct from @lastAccountId::uuid
  order by id
  limit @countMax
  for update skip locked
),
summed as (
  select id, bytes, sum(bytes) over (order by id) as bytes_up_to from locked
),
finished as (
  select id from summed where bytes_up_to <= @bytesMax or bytes_up_to = bytes
),
removed as (
  delete from cell.broadcasts as broadcast
  using finished
  where broadcast.id = finished.id
  returning broadcast.data, broadcast.occurred_at, broadcast.dedup_key
)
select data, occurred_at as "occurredAt", dedup_key as "dedupKey" from removed;

-- name: broadcast_insert :exec
-- A broadcast whose key is there already adds nothing. In the order of the keys, so that two callers cannot
-- block each other.
insert into cell.broadcasts (id, product, type, data, occurred_at, dedup_key)
select b.id, b.product, b.type, b.data, b.occurred_at_ms, b.dedup_key
from @broadcasts (
  id uuid, product text, type text, data text, occurred_at_ms timestamptz, dedup_key text null
) as b
order by b.product, b.dedup_key
on conflict do nothing;

-- name: broadcast_list_groups :many
-- What the oldest broadcasts are, and how far they have come: those of one row here go to the same accounts.
--
-- @scannedMax how many broadcasts to read
-- @notnull bytesMax
select product, type, last_account_id as "lastAccountId", max(octet_length(data)) as "bytesMax"
from (
  select product, type, last_account_id, data
  from cell.broadcasts
  order by id
  limit @scannedMax
) as oldest
group by product, type, last_account_id;

-- name: broadcast_list_receivers :many
-- The next accounts that are not closed with an active endpoint that takes the event, in the order of their ids.
--
-- @type the event type · @lastAccountId behind this account, null: from the first
-- @null @lastAccountId
select distinct account_id
from cell.endpoints
where account_id > coalesce(@lastAccountId::uuid, '00000000-0000-0000-0000-000000000000')
  and account_id <> all (array (select id from cell.accounts where moving and closed))
  and product = @product and active and (event_types = '{}' or @type = any (event_types))
order by account_id
limit @limit;

-- name: broadcast_list_status :many
-- What of the cell's oldest broadcasts still has accounts to reach: by type how many, since when the oldest waits, and
-- whether some accounts have it.
-- @notnull product type broadcasts oldest hasBegun
select product, type, count(*)::integer as broadcasts, (array_agg(id order by id))[1] as oldest,
  bool_or(last_account_id is not null) as "hasBegun"
from (
  select id, product, type, last_account_id
  from cell.broadcasts
  order by id
  limit @readMax::integer
) as oldest
group by product, type
order by 4;
