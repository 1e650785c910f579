-- One event by its id alone, for the operator.
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", data
from cell.events
where id = $1::uuid
