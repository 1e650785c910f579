-- Which events were raised by their keys.
--
-- $1 the account · $2 the product · $3 keys
select dedup_key as key, event_id as id
from cell.event_keys
where account_id = $1 and product = $2 and dedup_key = any ($3::text[])
