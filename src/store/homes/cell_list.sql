-- By number, with the number of accounts that live there.
-- @notnull accounts
select c.number, c.server, c.open, c.moving_to as "movingTo", c.moved_from as "movedFrom",
  (select count(*) from directory.accounts a where a.cell = c.number)::integer as accounts
from directory.cells c
order by c.number
