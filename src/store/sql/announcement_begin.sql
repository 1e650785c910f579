-- $1 the entry · $2 the time
insert into cell.announcements (entry_id, begun_at) values ($1, $2) on conflict do nothing
