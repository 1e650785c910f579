-- Who tracks a reference: one shipment for each account.
--
-- $1 the reference, as normalised · $2 the product · $3 how many at most
select id, account_id as "accountId"
from cell.shipments
where reference = $1 and product = $2
order by id
limit $3
