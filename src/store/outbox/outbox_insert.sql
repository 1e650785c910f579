-- Each payload once, and a row for each cell that it waits for, in the order of the payloads. Writes nothing, and returns
-- a count of 0, if a cell is behind by more than $5 KiB. The lock on the last number lasts until the commit, so that the
-- numbers follow the commits.
--
-- $1 numbers of cells · $2 the kind · $3 payloads · $4 the time · $5 KiB at most
-- @notnull count
with oldest as (
  select min(first.id) as id
  from unnest($1::integer[]) as number
  cross join lateral (select id from cell.outbox where cell = number order by id limit 1) as first
),
sized as (
  select payload, sum(octet_length(payload) / 1024 + 1) over (order by place) as kib_up_to
  from unnest($3::text[]) with ordinality as message (payload, place)
),
drawn as (
  update cell.outbox_numbers
  set last = last + (select max(kib_up_to) from sized)
  where last - coalesce((select id from oldest), last) <= $5::bigint
  returning last - (select max(kib_up_to) from sized) as before
),
numbered as (
  select drawn.before + kib_up_to as id, payload from drawn cross join sized
),
written as (
  insert into cell.outbox_messages (id, kind, payload, created_at)
  select id, $2, payload, $4 from numbered
),
addressed as (
  insert into cell.outbox (id, cell, due_at)
  select id, number, $4 from numbered cross join unnest($1::integer[]) as number
)
select count(*)::integer as count from numbered
