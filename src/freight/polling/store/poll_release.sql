-- Gives claims back that nothing came of; those that have been claimed anew are left alone.
update cell.polls as poll
set leased_until = null
from unnest($1::uuid[], $2::integer[]) as claim (id, lease)
where poll.shipment_id = claim.id and poll.lease = claim.lease and poll.leased_until is not null
