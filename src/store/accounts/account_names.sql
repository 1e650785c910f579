-- The names of some accounts.
select id, name
from directory.accounts
where id = any($1::uuid[])
