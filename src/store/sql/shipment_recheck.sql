update cell.shipments
set next_poll_at = $3
where account_id = $1 and id = $2
returning id
