-- Events and their deliveries become durable together. The routes were made from the accounts' state
-- at the versions given; if any account has moved on, nothing is written and the accounts that did
-- are returned, for their routes to be read again. Nor is anything written if the node that would hold
-- deliveries has been replaced, and a null is returned: no node would recover what it holds.
--
-- $1, $2 accounts and the versions of their routes · $3 to $8 events · $9 to $12 deliveries, `node`
-- null for queued deliveries · $13 the time · $14, $15 the ids and endpoints of the latter
-- $16 the node, null when all go to the queue
-- @null $16
with present as (
  -- Until the commit: who takes the node over locks its row first, and finds all that it holds.
  select id from cell.nodes where id = $16::integer for key share
),
stale as (
  select r.id
  from unnest($1::uuid[], $2::bigint[]) as r (id, version)
  left join cell.accounts a on a.id = r.id
  where a.routing_version is distinct from r.version
  union all
  select null where $16::integer is not null and not exists (select from present)
),
raised as (
  insert into cell.events (id, account_id, product, type, occurred_at, data)
  select e.id, e.account_id, e.product, e.type, e.occurred_at, e.data
  from unnest($3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
    as e (id, account_id, product, type, occurred_at, data)
  where not exists (select from stale)
),
delivering as (
  insert into cell.deliveries (id, event_id, endpoint_id, node, created_at)
  select d.id, d.event_id, d.endpoint_id, d.node, $13::timestamptz
  from unnest($9::uuid[], $10::uuid[], $11::uuid[], $12::integer[]) as d (id, event_id, endpoint_id, node)
  where not exists (select from stale)
),
queued as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select q.id, q.endpoint_id, $13::timestamptz
  from unnest($14::uuid[], $15::uuid[]) as q (id, endpoint_id)
  where not exists (select from stale)
)
select id from stale
