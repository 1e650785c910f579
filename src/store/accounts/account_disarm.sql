-- Does nothing to an account that is closed or gone.
--
-- $1 the account · $2 the message: one that the account has passed changes nothing
with behind as (
  select id, closed, last_arming < $2 as is_new from cell.accounts where id = $1 for update
)
update cell.accounts as account
set last_arming = $2, demurrage_armed_at = null
from behind
where account.id = behind.id and behind.is_new and not behind.closed
