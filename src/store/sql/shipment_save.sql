with held as (
  update cell.polls
  set lane = $4,
      refreshed_at = $9,
      -- Somebody asked for a look while this one was under way: it stays due.
      next_poll_at = case when next_poll_at = $3 then $11 else next_poll_at end,
      leased_until = null,
      failures = 0,
      failure = null
  where shipment_id = $1 and lease = $2 and leased_until is not null
  returning shipment_id
)
update cell.shipments
set carrier = $4,
    identifier_type = coalesce($5, identifier_type),
    status = $6,
    eta = $7,
    record = $8,
    ended_at = $10
from held
where id = held.shipment_id
returning id
