-- A row: the entry had not been announced.
--
-- $1 the entry · $2 the time
insert into cell.announcements (entry_id, announced_at) values ($1, $2) on conflict do nothing
returning entry_id
