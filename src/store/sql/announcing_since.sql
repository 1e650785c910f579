-- The first day from which on entries are announced: today ($1, a date) if there has been none.
with made as (
  insert into cell.announcing (since) values ($1::date)
  on conflict do nothing
  returning since
)
select to_char(since, 'YYYY-MM-DD') as since from made
union all
select to_char(since, 'YYYY-MM-DD') from cell.announcing
limit 1
