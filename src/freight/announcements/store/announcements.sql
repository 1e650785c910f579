-- name: announcement_record :many
-- A row: the entry had not been announced.
insert into cell.announcements (entry_id, announced_at) values (@entryId, @at) on conflict do nothing
returning entry_id;

-- name: announcement_start :many
-- The first day from which on entries are announced: today (@today, a date) if there has been none. No row: another node
-- has set it since.
-- @notnull since
with made as (
  insert into cell.announcing (since) values (@today::date)
  on conflict do nothing
  returning since
)
select since::text from made
union all
select since::text from cell.announcing;
