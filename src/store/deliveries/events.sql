-- name: dedup_key_claim :many
-- Claims the deduplication keys of events, in the order of the keys so that two callers cannot block
-- each other, and returns the events whose key is new.
insert into cell.event_keys (account_id, product, dedup_key, event_id, created_at)
select k.account_id, k.product, k.dedup_key, k.event_id, @at::timestamptz
from @claims (account_id uuid, product text, dedup_key text, event_id uuid) as k
order by k.account_id, k.product, k.dedup_key
on conflict do nothing
returning event_id;

-- name: dedup_key_prune :one
-- Deletes deduplication keys that are older than the history.
-- @notnull count
with old as (
  select account_id, product, dedup_key
  from cell.event_keys
  where created_at < @before::timestamptz
  order by created_at
  limit @limit::integer
),
forgotten as (
  delete from cell.event_keys k
  using old
  where k.account_id = old.account_id and k.product = old.product and k.dedup_key = old.dedup_key
)
select count(*)::integer as count from old;

-- name: event_list :many
-- What was raised for an account on a product, newest first. At most @scannedMax are looked through, and the last of those is
-- always returned: the next page begins behind it, whether it is wanted or not. Behind @pageBytesMax bytes, data is null. A ping
-- is nothing that was raised.
--
-- @beforeId before this id · @fromId from this id on · @type the type, null: any
-- @scannedMax the most to look through · @limit the most to return · @pageBytesMax bytes of data
-- @notnull id type occurredAt isWanted isLast
-- @null @type
select id, type, occurred_at as "occurredAt", "isWanted", nth = @scannedMax::integer as "isLast",
  case when coalesce(sum(octet_length(data)) over (
    order by id desc rows between unbounded preceding and 1 preceding
  ), 0) < @pageBytesMax::integer then data end as data
from (
  select newest.*, type <> 'ping' and (@type::text is null or type = @type::text) as "isWanted"
  from (
    select id, type, occurred_at, data, row_number() over (order by id desc) as nth
    from (
      select id, type, occurred_at, data
      from cell.events
      where account_id = @accountId::uuid and product = @product::text and id < @beforeId::uuid and id >= @fromId::uuid
      order by id desc
      limit @scannedMax::integer
    ) scanned
  ) newest
) e
where "isWanted" or nth = @scannedMax::integer
order by id desc
limit @limit::integer;

-- name: event_raise :many
-- Events and their deliveries become durable together. The routes were made from the accounts' state
-- at the versions given; if any account has moved on, nothing is written and the accounts that did
-- are returned, for their routes to be read again. Nor is anything written if the node that would hold
-- deliveries has been replaced, and a null is returned: no node would recover what it holds.
--
-- @accounts with the versions of their routes · @deliveries go to the queue where their `node` is null
-- @node the node, null when all go to the queue
-- @null @node
with present as (
  -- Until the commit: who takes the node over locks its row first, and finds all that it holds.
  select id from cell.nodes where id = @node::integer for key share
),
stale as (
  select r.id
  from @accounts (id uuid, version bigint) as r
  left join cell.accounts a on a.id = r.id
  where a.routing_version is distinct from r.version
  union all
  select null where @node::integer is not null and not exists (select from present)
),
raised as (
  insert into cell.events (id, account_id, product, type, occurred_at, data)
  select e.*
  from @events (
    id uuid, account_id uuid, product text, type text, occurred_at_ms timestamptz, data text
  ) as e
  where not exists (select from stale)
),
referring as (
  insert into cell.event_references (account_id, reference, event_id)
  select r.*
  from @references (account_id uuid, reference text, event_id uuid) as r
  where not exists (select from stale)
),
delivering as (
  insert into cell.deliveries (id, event_id, endpoint_id, node, created_at)
  select d.id, d.event_id, d.endpoint_id, d.node, @at::timestamptz
  from @deliveries (id uuid, event_id uuid, endpoint_id uuid, node integer null) as d
  where not exists (select from stale)
),
queued as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select d.id, d.endpoint_id, @at::timestamptz
  from @deliveries as d
  where d.node is null and not exists (select from stale)
)
select id from stale;

-- name: event_stream :many
-- What was raised for an account on a product, in the order of its ids. The page ends with the event that fills its
-- bytes.
--
-- @afterId after this id · @beforeId before this id · @pageMax the most to return · @pageBytesMax bytes of data
-- @notnull id type occurredAt data
select id, type, occurred_at as "occurredAt", data
from (
  select next.*, coalesce(
    sum(octet_length(data)) over (order by id rows between unbounded preceding and 1 preceding), 0
  ) as bytes_before
  from (
    select id, type, occurred_at, data
    from cell.events
    where account_id = @accountId::uuid and product = @product::text and id > @afterId::uuid and id < @beforeId::uuid
    order by id
    limit @pageMax::integer
  ) next
) e
where bytes_before < @pageBytesMax::integer
order by id;
