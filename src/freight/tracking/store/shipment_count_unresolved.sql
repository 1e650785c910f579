-- How many of an account's newest shipments nobody has answered for yet.
--
-- $1 account · $2 product · $3 statuses without an answer · $4 since when they are tracked · $5 how many are counted
-- @notnull count
select count(*)::integer as count
from unnest($3::text[]) as wanted (status)
cross join lateral (
  select created_at
  from cell.shipments
  where account_id = $1 and product = $2 and status = wanted.status
  order by id desc
  limit $5
) as newest
where newest.created_at > $4
