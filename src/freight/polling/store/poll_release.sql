-- Releases claims without a result; skips shipments that have been claimed again.
update cell.polls as poll
set leased_until = null
from unnest($1::uuid[], $2::integer[]) as claim (id, lease)
where poll.shipment_id = claim.id and poll.lease = claim.lease and poll.leased_until is not null
