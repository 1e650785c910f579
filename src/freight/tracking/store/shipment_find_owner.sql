select account_id
from cell.shipments
where id = $1
