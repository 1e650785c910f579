update directory.cells
set misses = misses + 1, missed_at = greatest(missed_at, $2::timestamptz)
where number = $1::smallint
