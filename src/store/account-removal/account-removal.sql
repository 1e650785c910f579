-- name: account_close :exec
-- No route of the account holds any longer. `moving` is what the index of closed accounts is made of (023_account_moves).
update cell.accounts
set moving = true, closed = true, routing_version = routing_version + 1
where id = @accountId::uuid;

-- name: account_forget :exec
-- What the directory knows of an account that is no more. @kind the kind of its messages
with unsent as (
  delete from directory.outbox as waiting
  using directory.outbox_messages as message
  where message.id = waiting.id and message.kind = @kind::text
    and message.payload::json ->> 'accountId' = @accountId::uuid::text
),
unlocked as (
  delete from directory.api_keys where account_id = @accountId::uuid
)
delete from directory.accounts where id = @accountId::uuid;

-- name: account_lock :one
-- Held by the session that removes the account.
-- @notnull free
select pg_try_advisory_lock(hashtext('boathook account moves'), hashtext(@accountId::text)) as free;

-- name: account_remove :exec
delete from cell.accounts where id = @accountId::uuid and closed;

-- name: account_revoke_keys :exec
update directory.api_keys set revoked_at = coalesce(revoked_at, @at::timestamptz) where account_id = @accountId::uuid;

-- name: delivery_count_held :one
-- How many deliveries of these endpoints nodes hold.
-- @notnull count
select (
  (select count(*) from cell.queue q where q.node is not null and q.endpoint_id = any (@ids::uuid[]))
  + (
    select count(*)
    from cell.deliveries d
    where d.endpoint_id = any (@ids::uuid[])
      -- Nothing older is held without a row in the queue.
      and d.id >= (select n.oldest_held from cell.nodes n order by n.oldest_held limit 1)
      and d.status = 'pending'
      and d.node is not null
  )
)::integer as count;

-- name: delivery_list_some :many
-- Some deliveries of an endpoint, newest first.
select id, event_id as "eventId"
from cell.deliveries
where endpoint_id = @endpointId::uuid
order by id desc
limit @deliveriesMax::integer;

-- name: delivery_remove :exec
-- @ids deliveries · @eventIds their events
with forgotten as (
  delete from cell.attempts where delivery_id = any (@ids::uuid[])
),
removed as (
  delete from cell.deliveries where id = any (@ids::uuid[])
),
unqueued as (
  delete from cell.queue where delivery_id = any (@ids::uuid[])
)
delete from cell.events where id = any (@eventIds::uuid[]);

-- name: endpoint_list_ids :many
select id from cell.endpoints where account_id = @accountId::uuid order by id;

-- name: endpoint_remove :exec
delete from cell.endpoints where account_id = @accountId::uuid;

-- name: event_remove :one
-- Some events of an account.
-- @notnull count
with doomed as (
  select id from cell.events where account_id = @accountId::uuid limit @countMax::integer
),
removed as (
  delete from cell.events e using doomed where e.id = doomed.id
)
select count(*)::integer as count from doomed;

-- name: key_remove :one
-- @notnull count
with listed as (
  select product, dedup_key from cell.event_keys where account_id = @accountId::uuid limit @countMax::integer
),
removed as (
  delete from cell.event_keys k
  using listed
  where k.account_id = @accountId::uuid and k.product = listed.product and k.dedup_key = listed.dedup_key
)
select count(*)::integer as count from listed;

-- name: poll_close :one
-- Nobody claims these polls any more; a result of one that is claimed matches no row.
-- @notnull count
with listed as (
  select p.shipment_id
  from cell.shipments s
  join cell.polls p on p.shipment_id = s.id
  where s.account_id = @accountId::uuid and p.leased_until is distinct from 'infinity'
  order by p.shipment_id
  limit @countMax::integer
  for update of p
),
closed as (
  update cell.polls p
  set lease = p.lease + case when p.leased_until is null then 0 else 1 end, leased_until = 'infinity'
  from listed
  where p.shipment_id = listed.shipment_id
)
select count(*)::integer as count from listed;

-- name: reference_remove :one
-- @notnull count
with listed as (
  select reference, event_id from cell.event_references where account_id = @accountId::uuid limit @countMax::integer
),
removed as (
  delete from cell.event_references r
  using listed
  where r.account_id = @accountId::uuid and r.reference = listed.reference and r.event_id = listed.event_id
)
select count(*)::integer as count from listed;

-- name: shipment_remove :one
-- Some shipments of an account, and their polls. Locks rows in the order in which polls are written. @countMax the
-- most
-- @notnull count
with doomed as materialized (
  select s.id
  from cell.shipments s
  join cell.polls p on p.shipment_id = s.id
  where s.account_id = @accountId::uuid
  order by s.id
  limit @countMax::integer
  for update of p, s
),
removed as (
  delete from cell.shipments s using doomed where s.id = doomed.id
)
select count(*)::integer as count from doomed;

-- name: transaction_list :many
-- The transactions that Boathook's sessions have open on the cell's server.
-- @notnull id
select lock.virtualxid as id
from pg_locks as lock
join pg_stat_activity as session on session.pid = lock.pid
where lock.locktype = 'virtualxid'
  and lock.pid <> pg_backend_pid()
  and session.datname = current_database()
  and session.application_name like 'boathook%';
