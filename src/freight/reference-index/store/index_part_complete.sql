-- What was missed since the claim is still to be indexed.
update directory.cells
set misses_indexed = $2::bigint, filled_at = greatest(filled_at, $3::timestamptz), indexing_until = '-infinity'
where number = $1::smallint
