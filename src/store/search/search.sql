-- name: attempt_count_steps :many
-- What became of an endpoint's attempts, by steps of time: how many arrived (no code), and how many failed with each
-- code. A bounded number of its newest deliveries is read by the index, and their failed attempts by theirs.
--
-- @fromId deliveries from this id on · @start when the first step begins · @stepS seconds of a step
-- @countedMax the most deliveries to read
-- @notnull step attempts read
with newest as (
  select id, delivered_at
  from cell.deliveries
  where endpoint_id = @endpointId::uuid and id >= @fromId::uuid
  order by id desc
  limit @countedMax::integer
),
ended as (
  select delivered_at as at, null as code from newest where delivered_at >= @start::timestamptz
  union all
  select a.ended_at, split_part(a.error, ':', 1)
  from newest n
  join cell.attempts a on a.delivery_id = n.id
  where a.ended_at >= @start::timestamptz
)
select floor(extract(epoch from at - @start::timestamptz) / @stepS::integer)::integer as step, code,
  count(*)::integer as attempts, (select count(*)::integer from newest) as read
from ended
group by 1, 2
order by 1, 2;

-- name: delivery_signing :maybe
-- What a delivery's body is made of, and what signs it. No row: there is no delivery, or its endpoint is gone.
select e.type, e.occurred_at as "occurredAt", e.data, p.id as "endpointId", p.account_id as "accountId", p.product,
  p.sealed_secret_hash as "sealedSecretHash"
from cell.deliveries d
join cell.events e on e.id = d.event_id
join cell.endpoints p on p.id = d.endpoint_id
where d.id = @id::uuid;

-- name: event_find :maybe
-- One event by its id alone, for the operator.
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", data
from cell.events
where id = @id::uuid;

-- name: event_list_of_ids :many
-- Some events, newest first. Behind @pageBytesMax bytes, data is null.
--
-- @type the type, @product the product, null for any
-- @notnull id accountId product type occurredAt bytes
-- @null @type @product
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", octet_length(data) as bytes,
  case when coalesce(sum(octet_length(data)) over (
    order by id desc rows between unbounded preceding and 1 preceding
  ), 0) < @pageBytesMax::integer then data end as data
from cell.events
where id = any (@ids::uuid[]) and (@type::text is null or type = @type::text)
  and (@product::text is null or product = @product::text) and type <> 'ping'
order by id desc
limit @limit::integer;

-- name: event_page :many
-- A page of the cell's events, newest first. Type and product have no index, so a bounded number is read, and the last one
-- that is read is there whether it `matches` or not.
--
-- @beforeId before this id · @fromId from this id on · @type the type, @product the product, null for any
-- @dataBytesMax data of more bytes is null
-- @notnull id accountId product type occurredAt bytes matches isLastRead
-- @null @type @product
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", octet_length(data) as bytes, matches,
  case when octet_length(data) <= @dataBytesMax::integer then data end as data, place = @readMax::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by id desc) as place,
    (@type::text is null or type = @type::text) and (@product::text is null or product = @product::text) as matches
  from (
    select id, account_id, product, type, occurred_at, data
    from cell.events
    where id < @beforeId::uuid and id >= @fromId::uuid
    order by id desc
    limit @readMax::integer
  ) newest
) e
where matches or place = @readMax::integer
order by id desc
limit @limit::integer;

-- name: event_page_of_account :many
-- As `event_page`, of an account, by the index. @products the products that there are, or the one
-- @notnull id accountId product type occurredAt bytes matches isLastRead
-- @null @type
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", octet_length(data) as bytes, matches,
  case when octet_length(data) <= @dataBytesMax::integer then data end as data, place = @readMax::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by id desc) as place,
    @type::text is null or type = @type::text as matches
  from (
    select found.*
    from unnest(@products::text[]) as wanted (product)
    cross join lateral (
      select id, account_id, product, type, occurred_at, data
      from cell.events e
      where e.account_id = @accountId::uuid and e.product = wanted.product and e.id < @beforeId::uuid and e.id >= @fromId::uuid
      order by e.id desc
      limit @readMax::integer
    ) found
    order by found.id desc
    limit @readMax::integer
  ) newest
) e
where matches or place = @readMax::integer
order by id desc
limit @limit::integer;
