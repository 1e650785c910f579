-- Removes entries that nobody has verified since $4. Rows are locked in one order by all who write several.
--
-- $1 products · $2 references · $3 numbers of cells
with old as (
  select entry.product, entry.reference, entry.tracked_in
  from unnest($1::text[], $2::text[], $3::integer[]) as given (product, reference, number)
  join cell.reference_index as entry
    on entry.product = given.product and entry.reference = given.reference and entry.tracked_in = given.number
  where entry.verified_at < $4
  order by entry.product, entry.reference, entry.tracked_in
  for update of entry
)
delete from cell.reference_index as entry
using old
where entry.product = old.product and entry.reference = old.reference and entry.tracked_in = old.tracked_in
