-- Reasons that no answer has had since $1.
delete from directory.source_skips where last_at < $1::timestamptz
