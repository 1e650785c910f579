-- References of the account lead to another cell now: every part of the reference index is incomplete until a node has
-- read the cells through. $1 the time
update directory.cells set misses = misses + 1, missed_at = greatest(missed_at, $1::timestamptz)
