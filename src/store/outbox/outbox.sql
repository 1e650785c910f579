-- name: outbox_claim :many
-- Claims the oldest messages of a cell until @until. Skips what another node is claiming.
--
-- @number the cell · @until the lease's end · @bytesMax bytes of their payloads together
-- at most; the first is claimed whatever it has
with locked as (
  select waiting.id, octet_length(message.payload) as bytes
  from cell.outbox as waiting
  join cell.outbox_messages as message on message.id = waiting.id
  where waiting.cell = @number and message.kind = any (@kinds::text[]) and waiting.due_at <= @at
  order by waiting.id
  limit @messagesMax
  for update of waiting skip locked
),
summed as (
  select id, bytes, sum(bytes) over (order by id) as bytes_up_to from locked
),
claimed as (
  update cell.outbox as waiting
  set due_at = @until
  from summed
  where waiting.cell = @number and waiting.id = summed.id
    and (summed.bytes_up_to <= @bytesMax or summed.bytes_up_to = summed.bytes)
  returning waiting.id
)
select message.id, message.kind, message.payload
from claimed
join cell.outbox_messages as message on message.id = claimed.id
order by message.id;

-- name: outbox_count :many
-- For each cell, what waits.
--
-- @cells numbers of cells · @rowsMax the rows of one that are counted at most
-- @notnull cell count behindKib
select number as cell,
  (select count(*)::integer from (select from cell.outbox where cell = number limit @rowsMax) as counted) as count,
  (select created_at from cell.outbox_messages as message where message.id = first.id) as "oldestAt",
  coalesce((select last - first.id from cell.outbox_numbers), 0)::float8 as "behindKib"
from unnest(@cells::integer[]) as number
left join lateral (select id from cell.outbox where cell = number order by id limit 1) as first on true;

-- name: outbox_delete :exec
-- What the cell @number has applied waits for it no more.
delete from cell.outbox where cell = @number and id = any (@ids::bigint[]);

-- name: outbox_insert :one
-- Each payload once, and a row for each cell that it waits for, in the order of the payloads. Writes nothing, and returns
-- a count of 0, if a cell is behind by more than @behindKibMax KiB. The lock on the last number lasts until the commit, so that the
-- numbers follow the commits.
--
-- @cells numbers of cells
-- @notnull count
with oldest as (
  select min(first.id) as id
  from unnest(@cells::integer[]) as number
  cross join lateral (select id from cell.outbox where cell = number order by id limit 1) as first
),
sized as (
  select payload, sum(octet_length(payload) / 1024 + 1) over (order by place) as kib_up_to
  from unnest(@payloads::text[]) with ordinality as message (payload, place)
),
drawn as (
  update cell.outbox_numbers
  set last = last + (select max(kib_up_to) from sized)
  where last - coalesce((select id from oldest), last) <= @behindKibMax::bigint
  returning last - (select max(kib_up_to) from sized) as before
),
numbered as (
  select drawn.before + kib_up_to as id, payload from drawn cross join sized
),
written as (
  insert into cell.outbox_messages (id, kind, payload, created_at)
  select id, @kind, payload, @at from numbered
),
addressed as (
  insert into cell.outbox (id, cell, due_at)
  select id, number, @at from numbered cross join unnest(@cells::integer[]) as number
)
select count(*)::integer as count from numbered;

-- name: outbox_list_cells :many
-- The cells that have messages to apply.
--
-- @cells numbers of cells
-- @notnull number
select number
from unnest(@cells::integer[]) as number
where exists (
  select from cell.outbox as waiting
  join cell.outbox_messages as message on message.id = waiting.id
  where waiting.cell = number and message.kind = any (@kinds::text[]) and waiting.due_at <= @at
);

-- name: outbox_prune :one
-- Deletes messages that are older than all that waits, @prunedMax at most. A message that is being written is not seen here, nor
-- are its cells.
-- @notnull count
with pruned as (
  delete from cell.outbox_messages
  where id in (
    select id from cell.outbox_messages
    where id < coalesce((select min(id) from cell.outbox), 9223372036854775807)
    order by id
    limit @prunedMax::integer
    for update skip locked
  )
  returning id
)
select count(*)::integer as count from pruned;

-- name: outbox_release :exec
-- Gives messages that were claimed for the cell @number back: they are due at @at.
update cell.outbox set due_at = @at where cell = @number and id = any (@ids::bigint[]);
