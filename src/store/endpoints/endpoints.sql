-- part: endpoint_invalidated
-- Publishes the invalidation with the commit of the change: no node goes by what was before, whatever becomes of the node
-- that makes the change, or of the answer. `rerouted` comes first: all lock the account before the counter, whose lock is
-- held until the commit, so that invalidations arrive in the order of their numbers. `@topic`: how a notification begins.
numbered as (
  update cell.changes set number = number + 1
  where exists (select from changed) and (select count(*) from rerouted) >= 0
  returning number
),
notified as (
  select pg_notify('boathook_changes', concat_ws(' ', @topic::text, number, @accountId::uuid, @id::uuid)) from numbered
)

-- part: endpoint_record
-- An endpoint as it is read.
id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"

-- name: endpoint_count :many
-- The endpoints, by product and by how they fare. Where an older build switched one off, its failures tell why.
--
-- @rowsMax the most rows to count
-- @notnull active failing disabled paused
select product,
  count(*) filter (where active and failure_count = 0)::float8 as active,
  count(*) filter (where active and failure_count > 0)::float8 as failing,
  count(*) filter (where not active and coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as disabled,
  count(*) filter (where not active and not coalesce(disabled_reason = 'failures', failure_count > 0))::float8 as paused
from (select product, active, failure_count, disabled_reason from cell.endpoints limit @rowsMax::integer) as counted
group by product;

-- name: endpoint_delete :many
-- The endpoint is gone at once, and its history with it, since nobody can ask for it any more; the rows
-- are removed later (engine/prune/prune.ts).
with changed as (
  delete from cell.endpoints
  where id = @id::uuid and account_id = @accountId::uuid and product = @product::text
    and exists (select from cell.accounts a where a.id = @accountId::uuid and not a.closed)
  returning id
),
noted as (
  insert into cell.deleted_endpoints (endpoint_id, deleted_at)
  select id, @at::timestamptz from changed
),
rerouted as (
  update cell.accounts a
  set routing_version = a.routing_version + 1
  where a.id = @accountId::uuid and exists (select from changed)
  returning a.id
),
@@endpoint_invalidated
select id from changed, notified;

-- name: endpoint_find :maybe
-- One endpoint by its id alone, for the operator.
-- @notnull missedEvents
select @@endpoint_record
from cell.endpoints
where id = @id::uuid;

-- name: endpoint_insert :maybe
-- Nothing is returned when the account has @endpointsMax endpoints on the product already. The caller has moved its routes on.
-- @notnull missedEvents
with changed as (
  insert into cell.endpoints
    (id, account_id, product, url, event_types, description, sealed_secret_hash, active, failure_count, created_at)
  select @id::uuid, @accountId::uuid, @product::text, @url::text, @types::text[], @description::text,
    @sealedSecretHash::bytea, true, 0, @createdAt::timestamptz
  where (
    select count(*) from cell.endpoints p where p.account_id = @accountId::uuid and p.product = @product::text
  ) < @endpointsMax::integer
  returning *
),
rerouted as (select from changed where false),
@@endpoint_invalidated
select @@endpoint_record from changed, notified;

-- name: endpoint_list :many
-- Newest first, from behind @afterId on; null: from the newest on.
-- @null @afterId
-- @notnull missedEvents
select @@endpoint_record
from cell.endpoints
where account_id = @accountId::uuid and product = @product::text and (@afterId::uuid is null or id < @afterId::uuid)
order by id desc
limit @limit::integer;

-- name: endpoint_list_failing :many
-- Endpoints that fail, or that failures have disabled; those first. A late success resets the count of one that is
-- disabled. Reads all of the cell's, which have no index on what changes with every attempt.
-- @notnull missedEvents
select @@endpoint_record
from cell.endpoints
where case when active then failure_count > 0 else coalesce(disabled_reason = 'failures', failure_count > 0) end
order by active, failure_count desc, id desc
limit @limit::integer;

-- name: endpoint_list_of_account :many
-- All products' endpoints of one account, newest first.
-- @notnull missedEvents
select @@endpoint_record
from cell.endpoints
where account_id = @accountId::uuid
order by id desc;

-- name: endpoint_miss :exec
-- Counts events that inactive endpoints would have received; in the order of their ids.
update cell.endpoints p
set missed_events = p.missed_events + t.missed
from @missed (id uuid, missed integer) as t
where p.id = t.id and not p.active;

-- name: endpoint_page :many
-- A page of the cell's endpoints, newest first. @afterId behind this one, null: from the newest on · @accountId the account, @product the
-- product, @state the state (active, failing, off), null for any
-- @null @afterId @accountId @product @state
-- @notnull missedEvents
select @@endpoint_record
from cell.endpoints
where id < coalesce(@afterId::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
  and (@accountId::uuid is null or account_id = @accountId::uuid)
  and (@product::text is null or product = @product::text)
  and case @state::text
    when 'off' then not active
    when 'failing' then active and failure_count > 0
    when 'active' then active and failure_count = 0
    else true
  end
order by id desc
limit @limit::integer;

-- name: endpoint_read :maybe
-- @notnull missedEvents
select @@endpoint_record
from cell.endpoints
where id = @id::uuid and account_id = @accountId::uuid and product = @product::text;

-- name: endpoint_touch :exec
-- The exact time of the last success, for endpoints whose later successes were not written one by one.
update cell.endpoints p
set last_delivery_at = greatest(p.last_delivery_at, t.last_delivered_at_ms), failure_count = 0, failing_since = null
from @touched (id uuid, last_delivered_at_ms timestamptz null) as t
where p.id = t.id;

-- name: endpoint_update :maybe
-- A parameter that is null leaves its column as it is. The account's routes move on with every change
-- that decides who receives what (engine/raise/raise.ts).
--
-- @id the endpoint, @accountId its account, @product its product · @types event types
-- @null @url @types @description @active
-- @notnull missedEvents
with changed as (
  update cell.endpoints p
  set url = coalesce(@url::text, p.url),
      event_types = coalesce(@types::text[], p.event_types),
      description = coalesce(@description::text, p.description),
      active = coalesce(@active::boolean, p.active),
      failure_count = case when @active::boolean then 0 else p.failure_count end,
      failing_since = case when @active::boolean then null else p.failing_since end,
      missed_events = case when coalesce(@active::boolean, p.active) then 0 else p.missed_events end,
      disabled_reason = case
        when coalesce(@active::boolean, p.active) then null
        when p.active then 'paused'
        else p.disabled_reason
      end,
      inactive_since = case
        when coalesce(@active::boolean, p.active) then null
        else coalesce(p.inactive_since, @at::timestamptz)
      end
  where p.id = @id::uuid and p.account_id = @accountId::uuid and p.product = @product::text
    and exists (select from cell.accounts a where a.id = @accountId::uuid and not a.closed)
  returning p.*
),
rerouted as (
  update cell.accounts a
  set routing_version = a.routing_version + 1
  where a.id = @accountId::uuid
    and exists (select from changed)
    and (@url::text is not null or @types::text[] is not null or @active::boolean is not null)
  returning a.id
),
@@endpoint_invalidated
select @@endpoint_record from changed, notified;
