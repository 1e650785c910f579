-- Newest first, from behind $1 on; null: from the newest on.
-- @null $1
select id, name, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where $1::uuid is null or id < $1::uuid
order by id desc
limit $2::integer
