-- part: shipment_shown
-- What a list shows of a shipment.
id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta, failure,
  refreshed_at as "refreshedAt", created_at as "createdAt", attention

-- part: shipment_polled
from cell.shipments
join cell.polls on polls.shipment_id = shipments.id

-- part: due_at_once
-- @atOnce the moment that sorts before all that is merely due. Two such moments in turn, so that a running poll sees that
-- another was requested.
set next_poll_at = case when poll.next_poll_at = @atOnce then @atOnce + interval '1 millisecond' else @atOnce end

-- part: named_due_at_once
-- Of the shipments that are `named`.
-- Rows are locked in one order by all who write several.
locked as (
  select shipment_id
  from cell.polls
  where shipment_id in (select id from named)
  order by shipment_id
  for update
)
update cell.polls as poll
@@due_at_once
from locked
where poll.shipment_id = locked.shipment_id
returning poll.shipment_id

-- name: shipment_count_unresolved :one
-- How many of an account's newest shipments nobody has answered for yet.
--
-- @statuses statuses without an answer · @since since when they are tracked · @unresolvedMax how many are counted
-- @notnull count
select count(*)::integer as count
from unnest(@statuses::text[]) as wanted (status)
cross join lateral (
  select created_at
  from cell.shipments
  where account_id = @accountId and product = @product and status = wanted.status
  order by id desc
  limit @unresolvedMax
) as newest
where newest.created_at > @since;

-- name: shipment_delete :many
-- A writer of polls writes to polls first and to shipments then: in the other order the two would
-- wait for each other.
with poll as materialized (
  select shipment_id from cell.polls where shipment_id = @id for update
)
delete from cell.shipments
using poll
where account_id = @accountId and product = @product and id = poll.shipment_id
  and exists (select from cell.accounts a where a.id = @accountId and not a.closed)
returning id;

-- name: shipment_due_by_first_message :many
-- Makes the shipments of these references due before all others that no carrier has answered for yet.
--
-- @atOnce the moment that sorts before all that is merely due
with unanswered as (
  select shipment_id
  from cell.polls
  where shipment_id in (
    select id from cell.shipments
    where reference = any (@references::text[]) and record is null and product = @product
  )
  -- Rows are locked in one order by all who write several.
  order by shipment_id
  for update
)
update cell.polls as poll
@@due_at_once
from unanswered
where poll.shipment_id = unanswered.shipment_id
returning poll.shipment_id;

-- name: shipment_due_by_message :many
-- Makes shipments due for re-evaluation after a message about them, or about their transport documents, without a
-- poll of their carrier. Locks rows in the order in which polls are written.
--
-- @isFirstToo whether shipments without an answer are, too
with named as (
  select id from cell.shipments
  where reference = any (@references::text[]) and (record is not null or @isFirstToo::boolean) and product = @product
  union all
  select id from cell.shipments
  where transport_documents && @references::text[] and (record is not null or @isFirstToo::boolean) and product = @product
),
answered as (
  select id
  from cell.shipments
  where id in (select id from named)
  order by id
  for update
)
update cell.shipments as shipment
-- Another moment each time, so that a running re-evaluation sees that another is due; one that is far away comes now.
set changes_at = case
  when shipment.changes_at >= @at and shipment.changes_at < @at + interval '1 second'
    then shipment.changes_at + interval '1 millisecond'
  else @at
end
from answered
where shipment.id = answered.id
returning shipment.id;

-- name: shipment_due_by_reference :many
-- Makes a carrier's shipments due before all others, even those whose polling has ended, if one of these references
-- is theirs or their transport document's. A shipment of an unknown carrier may be this carrier's.
--
-- @atOnce the moment that sorts before all that is merely due
with named as (
  select id from cell.shipments
  where reference = any (@references::text[]) and record is not null and carrier = @carrier and product = @product
  union all
  select id from cell.shipments
  where reference = any (@references::text[]) and record is null and coalesce(carrier, carrier_hint, @carrier) = @carrier and product = @product
  union all
  select id from cell.shipments
  where transport_documents && @references::text[] and carrier = @carrier and product = @product
),
@@named_due_at_once;

-- name: shipment_due_by_vessel :many
-- Makes a carrier's shipments that are aboard one of these vessels, and whose transport documents it has never named,
-- due before all others: a callback about the vessel's call may concern them.
--
-- @imos IMO numbers · @atOnce the moment that sorts before all that is merely due · @aboardMax how many at most
with named as (
  select id
  from cell.shipments
  where vessels && @imos::text[] and transport_documents is null and carrier = @carrier and product = @product
  order by id
  limit @aboardMax
),
@@named_due_at_once;

-- name: shipment_find :many
-- Shipments of a reference, or of an id: of an account, or all of the cell's, one for each account that tracks it.
--
-- @reference as normalised · each null: any account, no reference, no id
-- @notnull id accountId reference status createdAt
-- @null @accountId @reference @id
select id, account_id as "accountId", reference, status, created_at as "createdAt"
from (
  select id, account_id, product, reference, status, created_at from cell.shipments where id = @id::uuid
  union all
  select id, account_id, product, reference, status, created_at
  from cell.shipments
  where reference = @reference::text and record is not null
  union all
  select id, account_id, product, reference, status, created_at
  from cell.shipments
  where reference = @reference::text and record is null
) as found
where product = @product and (@accountId::uuid is null or account_id = @accountId::uuid)
order by id
limit @limit;

-- name: shipment_get :maybe
-- @notnull id reference status createdAt
select @@shipment_shown, record, next_poll_at as "nextPollAt", vessels
@@shipment_polled
where account_id = @accountId and product = @product and id = @id;

-- name: shipment_get_by_reference :maybe
-- @notnull id reference status createdAt
select @@shipment_shown, record, next_poll_at as "nextPollAt", vessels
@@shipment_polled
where account_id = @accountId and product = @product and reference = @reference;

-- name: shipment_give_references :many
-- Says more of a tracked shipment's other references, beside what was said, and makes it due if its last poll lacked one.
--
-- @given what is said, JSON
with given as (
  update cell.shipments as shipment
  set given_references = (coalesce(shipment.given_references, '{}')::jsonb || @given::text::jsonb)::text
  where shipment.account_id = @accountId and shipment.product = @product and shipment.reference = @reference
    and not coalesce(shipment.given_references, '{}')::jsonb @> @given::text::jsonb
    and exists (select from cell.accounts a where a.id = @accountId and not a.closed)
  returning shipment.id
)
update cell.polls as poll
@@due_at_once
from given
where poll.shipment_id = given.id and poll.failure like 'needs\_%'
returning poll.shipment_id as id;

-- name: shipment_insert :maybe
-- @id to @at the shipment, @product its product · @source the source that is polled first, @dueAt when · @given its other references, JSON
-- @notnull created id reference status createdAt
-- @null @identifierType @carrierHint @given
with made as (
  insert into cell.shipments (
    id, account_id, product, reference, identifier_type, carrier_hint, created_at, given_references
  )
  select @id, id, @product, @reference, @identifierType, @carrierHint, @at, @given from cell.accounts where id = @accountId and not closed
  on conflict (account_id, product, reference) do nothing
  returning id, reference, identifier_type, carrier_hint, carrier, status, eta, created_at, attention
),
polled as (
  insert into cell.polls (shipment_id, source, next_poll_at)
  select id, @source, @dueAt from made
)
select
  true as created,
  id, reference, identifier_type as "identifierType", carrier_hint as "carrierHint", carrier, status, eta,
  null as failure, null::timestamptz as "refreshedAt", created_at as "createdAt", attention
from made
union all
select
  false,
  id, reference, identifier_type, carrier_hint, carrier, status, eta, failure, refreshed_at, created_at, attention
@@shipment_polled
where account_id = @accountId and product = @product and reference = @reference and not exists (select from made);

-- name: shipment_list :many
-- @notnull id reference status createdAt
select @@shipment_shown
@@shipment_polled
where account_id = @accountId and product = @product and id < @afterId
order by id desc
limit @limit;

-- name: shipment_list_by_attention :many
-- Reads along an index of the shipments that need attention.
-- @notnull id reference status createdAt
-- @null @reference @carrier @statuses
select @@shipment_shown
@@shipment_polled
where account_id = @accountId
  and product = @product
  and attention is not null
  and id < @afterId
  and (@reference::text is null or reference = @reference)
  and (@carrier::text is null or coalesce(carrier, carrier_hint, '') = @carrier)
  and (@statuses::text[] is null or status = any (@statuses))
order by id desc
limit @limit;

-- name: shipment_list_by_carrier :many
-- One step of an index for each status, so that a page costs as much as it shows, however rare it is.
-- @notnull id reference status createdAt
-- @null @statuses
select shipment.*
from unnest(@statuses::text[]) as wanted (status)
cross join lateral (
  select @@shipment_shown
  @@shipment_polled
  where account_id = @accountId
    and product = @product
    and coalesce(carrier, carrier_hint, '') = @carrier
    and status = wanted.status
    and id < @afterId
  order by id desc
  limit @limit
) as shipment
order by shipment.id desc
limit @limit;

-- name: shipment_list_by_reference :many
-- At most one row: an account tracks a reference once.
-- @notnull id reference status createdAt
-- @null @carrier @statuses
select @@shipment_shown
@@shipment_polled
where account_id = @accountId
  and product = @product
  and id < @afterId
  and reference = @reference
  and (@carrier::text is null or coalesce(carrier, carrier_hint, '') = @carrier)
  and (@statuses::text[] is null or status = any (@statuses))
limit @limit;

-- name: shipment_list_by_status :many
-- One step of an index for each status, so that a page costs as much as it shows, however rare it is.
-- @notnull id reference status createdAt
select shipment.*
from unnest(@statuses::text[]) as wanted (status)
cross join lateral (
  select @@shipment_shown
  @@shipment_polled
  where account_id = @accountId and product = @product and status = wanted.status and id < @afterId
  order by id desc
  limit @limit
) as shipment
order by shipment.id desc
limit @limit;

-- name: shipment_lookup :maybe
-- Only while it is polled: a box goes on to other journeys, which an old record would misrepresent. What an account's own
-- credentials showed is private, and says so first.
-- @notnull record refreshedAt
select record, refreshed_at as "refreshedAt"
@@shipment_polled
where reference = @reference and product = @product and record is not null and record not like '{"isPrivate":true,%' and next_poll_at is not null
order by refreshed_at desc, id desc
limit 1;

-- name: shipment_positions :many
-- Where an account's shipments are: the positions with the most of them, and the newest of each.
--
-- @placedMax shipments that are counted · @namedMax shipments that are named of each
-- @notnull position count id reference status
with counted as (
  select position, count(*)::integer as count
  from (
    select position
    from cell.shipments
    where account_id = @accountId and product = @product and position is not null
    order by position
    limit @placedMax
  ) as placed
  group by position
  order by count desc, position
  limit @positionsMax
)
select counted.position, counted.count, named.id, named.reference, named.status
from counted
cross join lateral (
  select id, reference, status
  from cell.shipments
  where account_id = @accountId and product = @product and position = counted.position
  order by id desc
  limit @namedMax
) as named
order by counted.count desc, counted.position, named.id desc;

-- name: shipment_read_given :maybe
-- What was said of a shipment's other references, JSON; null: nothing.
select given_references as given from cell.shipments where id = @id;

-- name: shipment_recheck :many
update cell.polls as poll
@@due_at_once
from cell.shipments as shipment
where shipment.account_id = @accountId and shipment.product = @product and shipment.id = @id and poll.shipment_id = shipment.id
  and exists (select from cell.accounts a where a.id = @accountId and not a.closed)
returning shipment.id;
