-- What of the cell's oldest broadcasts still has accounts to reach: by type how many, since when the oldest waits, and
-- whether some accounts have it. $1 how many to read
-- @notnull product type broadcasts oldest hasBegun
select product, type, count(*)::integer as broadcasts, (array_agg(id order by id))[1] as oldest,
  bool_or(last_account_id is not null) as "hasBegun"
from (
  select id, product, type, last_account_id
  from cell.broadcasts
  order by id
  limit $1::integer
) as oldest
group by product, type
order by 4
