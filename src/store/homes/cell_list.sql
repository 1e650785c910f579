-- By number, with the number of accounts that live there. `nth`: among those of its kind, from 0.
-- @notnull nth
select kind, (row_number() over (partition by kind order by number))::integer - 1 as nth, number, open, accounts
from directory.cells
order by number
