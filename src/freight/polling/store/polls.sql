-- part: poll_claimed
-- The end of a claim: what a poll takes, in the order in which the polls are due.
returning poll.*
)
select
  shipment.id, shipment.account_id as "accountId", shipment.reference,
  shipment.identifier_type as "identifierType", shipment.carrier_hint as "carrierHint", shipment.carrier,
  shipment.status, shipment.eta, shipment.ended_at as "endedAt", shipment.changes_at as "changesAt",
  shipment.created_at as "createdAt", claimed.source, claimed.next_poll_at as "nextPollAt", claimed.lease,
  claimed.failures, claimed.failure, claimed.refreshed_at as "refreshedAt", claimed.answer_digest as "answerDigest",
  -- A scalar, which is looked up row by row, however many accounts there were when this was planned.
  (select account.demurrage_armed_at from cell.accounts as account where account.id = shipment.account_id)
    as "armedAt"
from claimed
join cell.shipments as shipment on shipment.id = claimed.shipment_id
order by claimed.next_poll_at, claimed.shipment_id

-- name: poll_backlog :many
-- For each source, since when the longest due shipment waits for a poll; requested polls do not count.
-- @notnull carrier dueSince
select wanted.carrier, poll.next_poll_at as "dueSince"
from unnest(@sources::text[]) as wanted (carrier)
cross join lateral (
  select next_poll_at
  from cell.polls
  where polls.source = wanted.carrier
    and next_poll_at > timestamptz 'epoch' + interval '1 second'
    and next_poll_at <= @at
    and (leased_until is null or leased_until <= @at)
  order by next_poll_at
  limit 1
) as poll;

-- name: poll_claim :many
-- Claims for each source the shipments whose account has its turn, and then what has been due longest; requested
-- polls are due since 1970.
--
-- @wanted how many shipments of each source · @leaseEnd when the claims end · @inTurn shipments whose turn it is
-- @lostEnds when claims of this node end whose answers were lost; if another's ends then, a poll is made twice at most
with in_turn as (
  select shipment_id, source
  from cell.polls
  where shipment_id = any (@inTurn::uuid[])
    and source in (select source from @wanted (source text, room integer) as asked)
    and next_poll_at <= @at
    and (leased_until is null or leased_until <= @at or leased_until = any (@lostEnds::timestamptz[]))
  for update skip locked
),
due as (
  select shipment_id from in_turn
  union all
  select poll.shipment_id
  from @wanted as wanted
  cross join lateral (
    select shipment_id
    from cell.polls
    where polls.source = wanted.source
      and next_poll_at <= @at
      and (leased_until is null or leased_until <= @at or leased_until = any (@lostEnds::timestamptz[]))
      and shipment_id <> all (@inTurn::uuid[])
    order by next_poll_at
    limit greatest(0, wanted.room - (select count(*) from in_turn where in_turn.source = wanted.source))
    for update skip locked
  ) as poll
),
claimed as (
  update cell.polls as poll
  set lease = poll.lease + 1, leased_until = @leaseEnd
  from due
  where poll.shipment_id = due.shipment_id
  @@poll_claimed;

-- name: poll_claim_reevaluations :many
-- Claims the shipments that time alone changes, whatever their carrier.
--
-- @leaseEnd when the claims end · @lostEnds as with polls
with changing as (
  select poll.shipment_id
  from cell.shipments as shipment
  join cell.polls as poll on poll.shipment_id = shipment.id
  where shipment.product = @product
    and shipment.changes_at <= @at
    and (poll.leased_until is null or poll.leased_until <= @at or poll.leased_until = any (@lostEnds::timestamptz[]))
  order by shipment.changes_at
  limit @limit
  for update of poll skip locked
),
claimed as (
  update cell.polls as poll
  set lease = poll.lease + 1, leased_until = @leaseEnd
  from changing
  where poll.shipment_id = changing.shipment_id
  @@poll_claimed;

-- name: poll_count_failures_of_sources :many
-- Why the polls of source queues failed last that go on. @readMax the most polls of each to read
-- @notnull queue failure polls
select wanted.queue, read.failure, count(*)::integer as polls
from unnest(@queues::text[]) as wanted (queue)
cross join lateral (
  select failure from cell.polls where source = wanted.queue and next_poll_at is not null limit @readMax::integer
) as read
where read.failure is not null
group by 1, 2;

-- name: poll_count_of_sources :many
-- Of each source queue how much is scheduled and how much of it is due, so many at most, and when the next poll is; polls
-- that were requested are due since 1970. @now the time · @countMax the most polls to count
-- @notnull queue scheduled due
select wanted.queue,
  (
    select count(*)::integer
    from (select from cell.polls where source = wanted.queue and next_poll_at is not null limit @countMax::integer) as read
  ) as scheduled,
  (
    select count(*)::integer
    from (select from cell.polls where source = wanted.queue and next_poll_at <= @now::timestamptz limit @countMax::integer) as read
  ) as due,
  (
    select next_poll_at
    from cell.polls
    where source = wanted.queue and next_poll_at is not null
    order by next_poll_at
    limit 1
  ) as "nextAt"
from unnest(@queues::text[]) as wanted (queue);

-- name: poll_count_unconfigured :many
-- How many shipments are due, now or later, of sources that nobody polls. Jumps along the index from source to
-- source, however many shipments there are.
--
-- @asked the sources that are polled · @countedMax shipments of one source that are counted at most
-- @notnull source count
with recursive sources as (
  (select source from cell.polls where next_poll_at is not null order by source limit 1)
  union all
  select (
    select polls.source
    from cell.polls
    where next_poll_at is not null and polls.source > sources.source
    order by polls.source
    limit 1
  )
  from sources
  where sources.source is not null
)
select source, (
  select count(*)::integer
  from (
    select from cell.polls where polls.source = sources.source and next_poll_at is not null limit @countedMax
  ) as counted
) as count
from sources
where source <> '' and source <> all (@asked::text[])
order by source;

-- name: poll_next_due :maybe
-- When the next shipment of the sources is due for a poll, claimed ones included; null where none is.
select min(poll.next_poll_at) as "dueAt"
from unnest(@sources::text[]) as wanted (source)
cross join lateral (
  select next_poll_at
  from cell.polls
  where polls.source = wanted.source and next_poll_at is not null
  order by next_poll_at
  limit 1
) as poll;

-- name: poll_next_reevaluation :maybe
-- When time alone changes the next shipment of a product, claimed ones included; null where it changes none.
select min(changes_at) as "dueAt"
from cell.shipments
where product = @product and changes_at is not null;

-- name: poll_read_records :many
-- @notnull record
select id, record
from cell.shipments
where id = any (@ids::uuid[]) and record is not null;

-- name: poll_release :exec
-- Releases claims without a result; skips shipments that have been claimed again.
update cell.polls as poll
set leased_until = null
from @claims (id uuid, lease integer) as claim
where poll.shipment_id = claim.id and poll.lease = claim.lease and poll.leased_until is not null;

-- name: poll_waiting :many
-- Whose shipments wait for a poll at both ends of a source's queue: what has been due longest, and what has just become
-- due, which a long queue of another account would hide.
--
-- @waitingMax shipments read at each end · @waitingOfAccountMax shipments of one account at most
-- @notnull source accountId id
select source, account_id as "accountId", id
from (
  select
    wanted.source, shipment.account_id, shipment.id,
    row_number() over (partition by wanted.source, shipment.account_id order by waiting.next_poll_at, shipment.id) as nth
  from unnest(@sources::text[]) as wanted (source)
  cross join lateral (
    (
      select shipment_id, next_poll_at
      from cell.polls
      where polls.source = wanted.source and next_poll_at <= @at and (leased_until is null or leased_until <= @at)
      order by next_poll_at
      limit @waitingMax
    )
    union
    (
      select shipment_id, next_poll_at
      from cell.polls
      where polls.source = wanted.source and next_poll_at <= @at and (leased_until is null or leased_until <= @at)
      order by next_poll_at desc
      limit @waitingMax
    )
  ) as waiting
  join cell.shipments as shipment on shipment.id = waiting.shipment_id
) as ranked
where nth <= @waitingOfAccountMax
order by source, nth, account_id;

-- name: poll_write :many
-- Writes the results of polls and releases their claims. A result whose claim another node has taken over matches
-- no row and writes nothing, even beside the other node's. Returns the claims that held.
--
-- @results each with its claim and what it was claimed with; `refreshed_at` and `answer_digest` are null where there was
-- no answer. The carrier is null where nothing of the shipment has changed, and empty where none has been found.
with results as (
  select *
  from @results (
    id uuid, lease integer, claimed_next_poll_at timestamptz null, next_poll_at timestamptz null,
    failures integer, failure text null, refreshed_at timestamptz null, answer_digest bytea null,
    carrier text null, identifier_type text null, status text null, eta timestamptz null, record text null,
    ended_at timestamptz null, claimed_changes_at timestamptz null, changes_at timestamptz null,
    vessels text null, vessels_from timestamptz null, vessels_until timestamptz null,
    transport_documents text null, awaited_sailings text null, position text null, attention text null
  ) as result
),
held as (
  update cell.polls as poll
  set source = coalesce(nullif(result.carrier, ''), poll.source),
      -- A poll was requested during this one: it stays due.
      next_poll_at = case
        when poll.next_poll_at is not distinct from result.claimed_next_poll_at then result.next_poll_at
        else poll.next_poll_at
      end,
      leased_until = null,
      failures = result.failures,
      failure = result.failure,
      refreshed_at = coalesce(result.refreshed_at, poll.refreshed_at),
      answer_digest = coalesce(result.answer_digest, poll.answer_digest)
  from results as result
  where poll.shipment_id = result.id and poll.lease = result.lease and poll.leased_until is not null
  returning poll.shipment_id, poll.lease
),
known as (
  update cell.shipments as shipment
  set carrier = nullif(result.carrier, ''),
      identifier_type = coalesce(result.identifier_type, shipment.identifier_type),
      status = result.status,
      eta = result.eta,
      record = result.record,
      ended_at = result.ended_at,
      -- Likewise.
      changes_at = case
        when shipment.changes_at is not distinct from result.claimed_changes_at then result.changes_at
        else shipment.changes_at
      end,
      vessels = string_to_array(result.vessels, ','),
      vessels_from = result.vessels_from,
      vessels_until = result.vessels_until,
      transport_documents = string_to_array(result.transport_documents, ','),
      awaited_sailings = string_to_array(result.awaited_sailings, ','),
      position = result.position,
      attention = result.attention
  from held
  join results as result on result.id = held.shipment_id and result.lease = held.lease
  where result.carrier is not null and shipment.id = result.id
),
-- What was pushed of a shipment without a record says nothing of it.
spent as (
  update cell.shipments as shipment
  set changes_at = null
  from held
  join results as result on result.id = held.shipment_id and result.lease = held.lease
  where result.carrier is null and shipment.id = result.id
    and shipment.status = 'pending' and shipment.changes_at = result.claimed_changes_at
)
select shipment_id as id, lease from held;
