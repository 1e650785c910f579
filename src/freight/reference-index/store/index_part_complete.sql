-- What was missed since the claim is still to be indexed.
update directory.cells
set misses_indexed = $2::bigint, indexing_until = '-infinity'
where number = $1::smallint
