-- When time alone changes the next shipment of a product, claimed ones included; null where it changes none.
select min(changes_at) as "dueAt"
from cell.shipments
where product = $1 and changes_at is not null
