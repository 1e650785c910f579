-- By number, with the number of accounts that live there.
select number, server, open, moving_to as "movingTo", moved_from as "movedFrom", accounts
from directory.cells
order by number
