-- What the oldest broadcasts are, and how far they have come: those of one row here go to the same accounts.
--
-- $1 how many broadcasts to read
-- @notnull bytesMax
select product, type, last_account_id as "lastAccountId", max(octet_length(data)) as "bytesMax"
from (
  select product, type, last_account_id, data
  from cell.broadcasts
  order by id
  limit $1
) as oldest
group by product, type, last_account_id
