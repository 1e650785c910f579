-- Numbers a change of an endpoint and notifies every node. The lock on the counter is held until the
-- commit, so that notices arrive in the order of their numbers.
--
-- $1 the account · $2 the endpoint · $3 the announcing node, which has taken the change in already
-- $4 how the notice begins
-- @notnull number
with numbered as (
  update cell.changes set number = number + 1 returning number
)
select number::float8 as number,
  pg_notify('boathook_changes', concat_ws(' ', $4::text, number, $1::uuid, $2::uuid, $3::integer))
from numbered
