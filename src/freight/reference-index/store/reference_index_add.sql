-- $1 products · $2 references · $3 numbers of the cells that track them · $4 the time
insert into cell.reference_index as entry (product, reference, tracked_in, verified_at)
select distinct product, reference, number, $4::timestamptz
from unnest($1::text[], $2::text[], $3::integer[]) as given (product, reference, number)
-- Rows are locked in one order by all who write several.
order by product, reference, number
on conflict (product, reference, tracked_in) do update
set verified_at = excluded.verified_at
where entry.verified_at < excluded.verified_at - interval '7 days'
