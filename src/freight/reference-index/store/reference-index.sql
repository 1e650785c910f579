-- name: index_part_claim :many
-- Claims the parts that are incomplete, or were filled before @filled, until @until, with the misses that are to be indexed: what
-- was missed since @settled may not be stored yet.
update directory.cells
set indexing_until = @until::timestamptz
where (misses <> misses_indexed or filled_at < @filled::timestamptz)
  and missed_at <= @settled::timestamptz
  and joined_at <= @at::timestamptz
  and indexing_until <= @at::timestamptz
returning number, misses;

-- name: index_part_complete :exec
-- What was missed since the claim is still to be indexed.
update directory.cells
set misses_indexed = @misses::bigint, filled_at = greatest(filled_at, @at::timestamptz), indexing_until = '-infinity'
where number = @number::smallint;

-- name: index_part_list :many
-- @notnull isComplete
select number, joined_at as "joinedAt", misses = misses_indexed as "isComplete"
from directory.cells
where kind = 'cell'
order by number;

-- name: index_part_miss :exec
-- An entry could not be written to the part: it is incomplete.
update directory.cells
set misses = misses + 1, missed_at = greatest(missed_at, @at::timestamptz)
where number = @number::smallint;

-- name: reference_index_add :exec
-- `number` is that of the cell that tracks it.
insert into cell.reference_index as entry (product, reference, tracked_in, verified_at)
select distinct product, reference, number, @at::timestamptz
from @entries (product text, reference text, number integer) as given
-- Rows are locked in one order by all who write several.
order by product, reference, number
on conflict (product, reference, tracked_in) do update
set verified_at = excluded.verified_at
where entry.verified_at < excluded.verified_at - interval '7 days';

-- name: reference_index_find :many
select distinct tracked_in as number
from cell.reference_index
where product = @product and reference = any (@references::text[]);

-- name: reference_index_list_old :many
-- The entries verified longest ago, before @before.
select product, reference, tracked_in as number
from cell.reference_index
where verified_at < @before
order by verified_at
limit @limit;

-- name: reference_index_remove :exec
-- Removes entries that nobody has verified since @before. Rows are locked in one order by all who write several.
with old as (
  select entry.product, entry.reference, entry.tracked_in
  from @entries (product text, reference text, number integer) as given
  join cell.reference_index as entry
    on entry.product = given.product and entry.reference = given.reference and entry.tracked_in = given.number
  where entry.verified_at < @before
  order by entry.product, entry.reference, entry.tracked_in
  for update of entry
)
delete from cell.reference_index as entry
using old
where entry.product = old.product and entry.reference = old.reference and entry.tracked_in = old.tracked_in;

-- name: shipment_list_keys :many
-- What shipments are indexed by, from the one after @afterId on.
select
  id, product, reference,
  array_to_string(transport_documents, ',') as documents, array_to_string(vessels, ',') as vessels
from cell.shipments
where id > @afterId
order by id
limit @limit;

-- name: shipment_tracked_keys :many
-- Those of these keys by which the cell tracks a shipment.
-- @notnull product reference
select product, reference
from @keys (product text, reference text) as given
where exists (
    select from cell.shipments as one
    where one.reference = given.reference and one.product = given.product and one.record is not null
  )
  or exists (
    select from cell.shipments as one
    where one.reference = given.reference and one.product = given.product and one.record is null
  )
  or exists (
    select from cell.shipments as one
    where one.transport_documents && array[given.reference] and one.product = given.product
  )
  or (
    given.reference like 'IMO%'
    and exists (
      select from cell.shipments as one
      where one.vessels && array[substr(given.reference, 4)] and one.product = given.product
    )
  );
