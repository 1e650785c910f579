-- By number, with the number of accounts that live there.
-- @notnull accounts
select c.number, c.server, c.open,
  (select count(*) from directory.accounts a where a.cell = c.number)::integer as accounts
from directory.cells c
order by c.number
