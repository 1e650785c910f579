-- The first day from which on entries are announced: today ($1, a date) if there has been none. No row: another node
-- has set it since.
-- @notnull since
with made as (
  insert into cell.announcing (since) values ($1::date)
  on conflict do nothing
  returning since
)
select since::text from made
union all
select since::text from cell.announcing
