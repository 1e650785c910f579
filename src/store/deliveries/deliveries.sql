-- part: delivery_record
-- What a delivery is to everyone: of deliveries d and their events e.
d.id, d.event_id as "eventId", e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt"

-- part: delivery_found
-- What it is to the operator: of endpoints p and the queue q, too.
@@delivery_record, d.endpoint_id as "endpointId", q.due_at as "dueAt",
  p.inactive_since as "disabledAt", e.account_id as "accountId", e.product, p.url

-- part: delivery_joins
join cell.events e on e.id = d.event_id
left join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id

-- part: delivery_matches
-- @status the status, null for any · @type the event's type, null for any
(@status::text is null or d.status = @status::text) and (@type::text is null or e.type = @type::text)

-- name: delivery_body :maybe
-- What a delivery's body is made of.
select e.id as "eventId", e.type, e.occurred_at as "occurredAt", e.data
from cell.deliveries d
join cell.events e on e.id = d.event_id
where d.id = @id::uuid;

-- name: delivery_claim :many
-- Claims what is due, for each endpoint at most as many deliveries as the node has room for, and
-- returns all that sending them takes. A node that has been replaced gets nothing.
with present as (
  -- Until the commit: who takes the node over locks its row first, and finds all that it claimed.
  select id from cell.nodes where id = @node::integer for key share
),
due as (
  select w.delivery_id
  from present
  cross join @wanted (endpoint_id uuid, room integer) as wanted
  cross join lateral (
    select q.delivery_id
    from cell.queue q
    where q.endpoint_id = wanted.endpoint_id and q.node is null and q.due_at <= @at::timestamptz
    order by q.due_at
    limit wanted.room
    for update skip locked
  ) as w
),
claimed as (
  update cell.queue q
  set node = @node::integer
  from due
  where q.delivery_id = due.delivery_id
  returning q.delivery_id
)
select d.id, d.endpoint_id as "endpointId", d.attempt_count as "attemptCount", e.type,
  e.occurred_at as "occurredAt", e.data
from claimed c
join cell.deliveries d on d.id = c.delivery_id
join cell.events e on e.id = d.event_id
where d.status = 'pending';

-- name: delivery_expire_parked :one
-- Ends deliveries that have been parked behind an inactive endpoint for too long.
--
-- @before endpoints inactive since before this time · @rowsPerStepMax the most to end at once
-- @unreported products whose endpoints are not reported
-- @notnull count products
with parked as (
  select q.delivery_id, p.id as endpoint_id, p.account_id, p.product, p.failure_count, p.failing_since
  from cell.endpoints p
  join cell.queue q on q.endpoint_id = p.id
  where not p.active and p.inactive_since < @before::timestamptz and q.node is null
  limit @rowsPerStepMax::integer
  for update of q skip locked
),
ended as (
  update cell.deliveries d
  set status = 'dead',
      last_error = coalesce(d.last_error, 'parked: the endpoint stayed inactive for too long')
  from parked
  where d.id = parked.delivery_id and d.status = 'pending'
  returning parked.*, d.last_error
),
reported as (
  insert into cell.reports (at, kind, subject, account_id, endpoint_id, failure_count, failing_since, error)
  select @at::timestamptz, 'delivery_dead', delivery_id, account_id, endpoint_id, failure_count, failing_since, last_error
  from ended
  where product <> all (@unreported::text[])
),
gone as (
  delete from cell.queue q using parked where q.delivery_id = parked.delivery_id
)
select count(*)::integer as count, array(select product from ended) as products from parked;

-- name: delivery_find :maybe
-- One delivery by its id alone, for the operator: when it is due, and whose it is. Its endpoint may be gone.
-- @notnull id eventId eventType status attemptCount createdAt endpointId accountId product
select @@delivery_found
from cell.deliveries d
@@delivery_joins
where d.id = @id::uuid;

-- name: delivery_list :many
-- An endpoint's deliveries, newest first. At most @scannedMax are looked through, and the last of those is always returned:
-- the next page begins behind it, whether it is wanted or not.
--
-- @beforeId before this id · @fromId from this id on · @type the event type; null: any
-- @scannedMax the most to look through · @limit the most to return
-- @notnull id eventId eventType status attemptCount createdAt isWanted isLast
-- @null @status @type
select @@delivery_record, q.due_at as "dueAt",
  @@delivery_matches as "isWanted",
  d.nth = @scannedMax::integer as "isLast"
from (
  select newest.*, row_number() over (order by newest.id desc) as nth
  from (
    select *
    from cell.deliveries
    where endpoint_id = @endpointId::uuid and id < @beforeId::uuid and id >= @fromId::uuid
    order by id desc
    limit @scannedMax::integer
  ) newest
) d
-- One by one, and not for deliveries of another status: a page needs few of them.
cross join lateral (select type from cell.events where id = d.event_id limit 1) e
left join cell.queue q on q.delivery_id = d.id
where (@status::text is null or d.status = @status::text or d.nth = @scannedMax::integer)
  and (@type::text is null or e.type = @type::text or d.nth = @scannedMax::integer)
order by d.id desc
limit @limit::integer;

-- name: delivery_list_claimed :many
-- What a node has claimed.
select delivery_id as id, endpoint_id as "endpointId" from cell.queue where node = @node::integer;

-- name: delivery_list_of_events :many
-- The deliveries of some events, for the operator, as `delivery_find`. They have no index by event: they were written soon
-- after it. Each endpoint of its account has one at most, found by the index; those whose endpoint is gone are among the
-- first of all that were written then.
--
-- @wanted the events, with the ids between which their deliveries are · @nearMax the most to read of each
-- @notnull id eventId eventType status attemptCount createdAt endpointId accountId product
with near as (
  select found.id
  from @wanted (id uuid, account_id uuid, product text, from_id uuid, before_id uuid) as event
  join cell.endpoints p on p.account_id = event.account_id and p.product = event.product
  cross join lateral (
    select written.id
    from (
      select d.id, d.event_id
      from cell.deliveries d
      where d.endpoint_id = p.id and d.id >= event.from_id and d.id < event.before_id
      order by d.id
      limit @nearMax::integer
    ) written
    where written.event_id = event.id
    limit 1
  ) found
  union
  select written.id
  from @wanted as event
  cross join lateral (
    select d.id, d.event_id
    from cell.deliveries d
    where d.id >= event.from_id and d.id < event.before_id
    order by d.id
    limit @nearMax::integer
  ) written
  where written.event_id = event.id
)
select @@delivery_found
from near
join cell.deliveries d on d.id = near.id
@@delivery_joins
order by d.id;

-- name: delivery_list_recent :many
-- The newest deliveries of one endpoint, each with the endpoint's health at that moment: settling changes both at once.
-- @notnull missedEvents active failureCount
select d.id, e.type as "eventType", d.status, d.attempt_count as "attemptCount",
  d.last_status_code as "lastStatusCode", d.last_error as "lastError", d.created_at as "createdAt",
  d.delivered_at as "deliveredAt", o.active, o.failure_count as "failureCount",
  o.last_delivery_at as "lastDeliveryAt", o.inactive_since as "disabledAt", o.disabled_reason as "disabledReason",
  o.missed_events::float8 as "missedEvents"
from (
  select * from cell.deliveries where endpoint_id = @endpointId::uuid order by id desc limit @limit::integer
) d
join cell.events e on e.id = d.event_id
join cell.endpoints o on o.id = @endpointId::uuid
order by d.id desc;

-- name: delivery_page :many
-- A page of the cell's deliveries, newest first. What is asked for has no index, so a bounded number is read, and the last
-- one that is read is there whether it `matches` or not.
--
-- @beforeId before this id · @status the status, null for any · @type the event's type, null for any
-- @fromId from this id on
-- @notnull id eventId eventType status attemptCount createdAt endpointId accountId product matches isLastRead
-- @null @status @type
select @@delivery_found,
  @@delivery_matches as matches,
  d.place = @readMax::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by newest.id desc) as place
  from (
    select *
    from cell.deliveries
    where id < @beforeId::uuid and id >= @fromId::uuid
    order by id desc
    limit @readMax::integer
  ) newest
) d
@@delivery_joins
where @@delivery_matches or d.place = @readMax::integer
order by d.id desc
limit @limit::integer;

-- name: delivery_page_of_endpoints :many
-- As `delivery_page`, of some endpoints, with those of each found by their own index.
-- @notnull id eventId eventType status attemptCount createdAt endpointId accountId product matches isLastRead
-- @null @status @type
select @@delivery_found,
  @@delivery_matches as matches,
  d.place = @readMax::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by newest.id desc) as place
  from (
    select found.*
    from unnest(@endpointIds::uuid[]) as wanted (endpoint_id)
    cross join lateral (
      select *
      from cell.deliveries d
      where d.endpoint_id = wanted.endpoint_id
        and d.id < @beforeId::uuid
        and d.id >= @fromId::uuid
      order by d.id desc
      limit @readMax::integer
    ) found
    order by found.id desc
    limit @readMax::integer
  ) newest
) d
@@delivery_joins
where @@delivery_matches or d.place = @readMax::integer
order by d.id desc
limit @limit::integer;

-- name: delivery_read :maybe
-- One delivery of an endpoint, with what is sent.
-- @notnull id eventId eventType status attemptCount createdAt occurredAt data sealedSecretHash
select @@delivery_record, q.due_at as "dueAt", e.occurred_at as "occurredAt", e.data,
  p.sealed_secret_hash as "sealedSecretHash"
from cell.deliveries d
join cell.events e on e.id = d.event_id
join cell.endpoints p on p.id = d.endpoint_id
left join cell.queue q on q.delivery_id = d.id
where d.id = @id::uuid and d.endpoint_id = @endpointId::uuid;

-- name: delivery_release :many
-- Returns deliveries that the node holds to the queue, unattempted: the node stops, their endpoint receives nothing
-- now, or a lost answer of the database leaves open whether the node holds them.
--
-- @ids deliveries
with released as (
  update cell.deliveries d
  set node = null
  from unnest(@ids::uuid[]) as r (id)
  where d.id = r.id and d.node = @node::integer and d.status = 'pending'
  returning d.id, d.endpoint_id
),
queued as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select id, endpoint_id, @at::timestamptz from released
  -- A delivery is in one place only. One that is in two must not keep the others from being given back.
  on conflict (delivery_id) do nothing
),
unclaimed as (
  update cell.queue q
  set node = null
  from unnest(@ids::uuid[]) as r (id)
  where q.delivery_id = r.id and q.node = @node::integer
)
select id from released;

-- name: delivery_settle :many
-- Writes the results of attempts. A delivery is settled only by the node that holds it, either since it was raised
-- (deliveries.node) or by a claim (queue.node); the late write of a node that was replaced matches nothing, nor does a
-- result that was written before: a batch that is sent again after a lost answer finds the attempt counted, even where
-- the node has claimed the delivery for its next one. Endpoints are counted only if anything was settled, so that such
-- a batch does not count twice. The 20th failure in a row makes an endpoint inactive (spec 3.2: disabled; 8: disable),
-- if the first of them is as old as @begunBy says. Failures are as old as their batch, and none is of a time to come:
-- a clock may have gone back since.
--
-- @counts what the batch means to each endpoint, in the order of their ids (the order in which rows are locked)
-- @disableAfter the failures that disable · @begunBy when they have begun at the latest · @failed the attempts that
-- failed · @endedClaims the deliveries that came by a claim and need no further attempt
-- @failingAfter the failures that are reported · @unreported products whose endpoints are not reported
-- @notnull disabled changed
with present as (
  -- Until the commit: who takes the node over locks its row first. What a settlement reads of the queue is
  -- older than its own wait for a lock, and another node may have claimed the row since.
  select id from cell.nodes where id = @node::integer for key share
),
settled as (
  update cell.deliveries d
  set status = s.status,
      attempt_count = s.attempt_count,
      last_status_code = s.last_status_code,
      last_error = s.last_error,
      delivered_at = s.delivered_at_ms,
      node = null
  from @attempts (
    id uuid, status text, attempt_count integer, last_status_code integer null, last_error text null,
    delivered_at_ms timestamptz null, due_at_ms timestamptz null
  ) as s
  where exists (select from present)
    and d.id = s.id
    and d.status = 'pending'
    and d.attempt_count < s.attempt_count
    and (
      d.node = @node::integer
      -- A scalar, which is looked up row by row; `exists` would read everything the node has claimed.
      or (select true from cell.queue q where q.delivery_id = s.id and q.node = @node::integer)
    )
  returning d.id, d.endpoint_id, d.status, d.last_error, s.due_at_ms as due_at
),
failed as (
  insert into cell.attempts
    (delivery_id, number, ended_at, duration_ms, address, status_code, error, answer_bytes)
  select f.id, f.attempt_count, f.ended_at_ms, f.duration_ms, f.address, f.last_status_code, f.last_error, f.answer_bytes
  from @failed (
    id uuid, attempt_count integer, ended_at_ms timestamptz, duration_ms integer, address text null,
    last_status_code integer null, last_error text null, answer_bytes integer
  ) as f
  where f.id in (select id from settled)
  on conflict do nothing
),
waiting as (
  insert into cell.queue (delivery_id, endpoint_id, due_at)
  select id, endpoint_id, due_at from settled where status = 'pending'
  on conflict (delivery_id) do update set due_at = excluded.due_at, node = null
),
done as (
  delete from cell.queue q
  using unnest(@endedClaims::uuid[]) as c (id)
  where q.delivery_id = c.id and q.node = @node::integer
),
counted as (
  update cell.endpoints p
  set (
    failure_count, failing_since, last_delivery_at, active, disabled_reason, inactive_since, condition, condition_since
  ) = (
    select count.failures,
      case
        when t.trailing_failures = 0 and t.delivered then null
        when t.delivered or p.failure_count = 0 then @at::timestamptz
        else least(p.failing_since, @at::timestamptz)
      end,
      greatest(p.last_delivery_at, t.last_delivered_at_ms),
      p.active and not count.disables,
      case when count.disables then 'failures' when not p.active then p.disabled_reason end,
      case when count.disables then @at::timestamptz when not p.active then p.inactive_since end,
      next.condition,
      case when next.condition = p.condition then p.condition_since else @at::timestamptz end
    from (
      select t.trailing_failures + case when t.delivered then 0 else p.failure_count end as failures,
        p.active and (
          t.ran or p.failure_count >= t.enough and least(p.failing_since, @at::timestamptz) <= @begunBy::timestamptz
        ) as disables
    ) as count
    cross join lateral (
      select case
        when count.disables then 'disabled'
        when not p.active then p.condition
        when count.failures >= @failingAfter::integer then 'failing'
        when t.delivered then 'working'
        else p.condition
      end as condition
    ) as next
  )
  from (
    -- `ran`: failures enough between two successes · `enough`: failures before the batch that make those enough
    select t.*, @disableAfter::integer - leading_failures as enough,
      longest_run >= @disableAfter::integer and @begunBy::timestamptz >= @at::timestamptz as ran
    from @counts (
      endpoint_id uuid, delivered boolean, leading_failures integer, longest_run integer,
      trailing_failures integer, last_delivered_at_ms timestamptz null
    ) as t
  ) t
  where p.id = t.endpoint_id and exists (select from settled)
  returning p.id, p.account_id, p.product, p.active, p.failure_count, p.failing_since, p.inactive_since, p.condition,
    p.condition_since
),
rerouted as (
  update cell.accounts a
  set routing_version = a.routing_version + 1
  where a.id in (select c.account_id from counted c where c.inactive_since = @at::timestamptz)
),
reported as (
  insert into cell.reports (at, kind, subject, account_id, endpoint_id, failure_count, failing_since, error)
  select @at::timestamptz,
    case c.condition when 'working' then 'endpoint_recovered' else 'endpoint_' || c.condition end,
    c.id, c.account_id, c.id, c.failure_count, c.failing_since,
    (
      select s.last_error
      from settled s
      where s.endpoint_id = c.id and (c.failure_count > 0 or c.condition = 'disabled')
      order by s.last_error is null, s.id desc
      limit 1
    )
  from counted c
  where c.condition_since = @at::timestamptz and c.product <> all (@unreported::text[])
  union all
  -- Endpoints by their index: a batch may have a thousand.
  select @at::timestamptz, 'delivery_dead', s.id, p.account_id, p.id, p.failure_count, p.failing_since, s.last_error
  from settled s
  join cell.endpoints p on p.id = s.endpoint_id
  where s.status = 'dead' and p.product <> all (@unreported::text[])
  on conflict do nothing
)
select c.id, c.account_id as "accountId", c.product, c.failure_count as "failureCount",
  not c.active and c.inactive_since = @at::timestamptz as "disabled",
  coalesce(c.condition_since = @at::timestamptz, false) as changed
from counted c
where c.failure_count > 0 or not c.active or c.condition_since = @at::timestamptz;
