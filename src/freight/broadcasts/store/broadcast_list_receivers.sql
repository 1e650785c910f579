-- The next accounts that are not closed with an active endpoint that takes the event, in the order of their ids.
--
-- $1 the product · $2 the event type · $3 behind this account, null: from the first · $4 how many
-- @null $3
select distinct account_id
from cell.endpoints
where account_id > coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')
  and account_id <> all (array (select id from cell.accounts where moving and closed))
  and product = $1 and active and (event_types = '{}' or $2 = any (event_types))
order by account_id
limit $4
