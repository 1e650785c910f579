-- Only while it is polled: a box goes on to other journeys, which an old record would misrepresent. What an account's own
-- credentials showed is private, and says so first.
-- @notnull record refreshedAt
select record, refreshed_at as "refreshedAt"
from cell.shipments
join cell.polls on polls.shipment_id = shipments.id
where reference = $1 and product = $2 and record is not null and record not like '{"isPrivate":true,%' and next_poll_at is not null
order by refreshed_at desc, id desc
limit 1
