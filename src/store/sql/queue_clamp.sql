-- No wait of the ladder is longer than $2 - $1. What is due later than that was written by a clock that
-- ran ahead, and would never be sent; it is due now.
update cell.queue set due_at = $1::timestamptz where due_at > $2::timestamptz and node is null
