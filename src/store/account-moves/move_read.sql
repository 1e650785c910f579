-- Where an account lives, and its move.
-- @notnull cell
-- @together from to begunAt
select account.cell, move.from_cell as "from", move.to_cell as "to", move.begun_at as "begunAt"
from directory.accounts as account
left join directory.account_moves as move on move.account_id = account.id
where account.id = $1::uuid
