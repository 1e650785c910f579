-- What was said of a shipment's other references, JSON; null: nothing.
select given_references as given from cell.shipments where id = $1
