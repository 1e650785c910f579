update cell.polls
set failures = failures + 1,
    failure = $4,
    next_poll_at = case when next_poll_at = $3 then $5 else next_poll_at end,
    leased_until = null
where shipment_id = $1 and lease = $2 and leased_until is not null
returning shipment_id
