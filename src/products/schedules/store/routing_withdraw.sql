-- What a feed no longer publishes: $1 the feed · $2 what it was asked · $3 published before
delete from cell.routings where feed = $1 and asked = $2 and updated_at < $3
