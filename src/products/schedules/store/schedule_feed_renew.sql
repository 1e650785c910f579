-- No row: another node has taken the feed over.
update directory.schedule_feeds set claimed_until = $3 where name = $1 and claimed_by = $2 returning name
