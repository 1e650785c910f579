-- Whose shipments wait for a poll at both ends of a source's queue: what has been due longest, and what has just become
-- due, which a long queue of another account would hide.
--
-- $1 sources · $2 the time · $3 shipments read at each end · $4 shipments of one account at most
-- @notnull source accountId id
select source, account_id as "accountId", id
from (
  select
    wanted.source, shipment.account_id, shipment.id,
    row_number() over (partition by wanted.source, shipment.account_id order by waiting.next_poll_at, shipment.id) as nth
  from unnest($1::text[]) as wanted (source)
  cross join lateral (
    (
      select shipment_id, next_poll_at
      from cell.polls
      where polls.source = wanted.source and next_poll_at <= $2 and (leased_until is null or leased_until <= $2)
      order by next_poll_at
      limit $3
    )
    union
    (
      select shipment_id, next_poll_at
      from cell.polls
      where polls.source = wanted.source and next_poll_at <= $2 and (leased_until is null or leased_until <= $2)
      order by next_poll_at desc
      limit $3
    )
  ) as waiting
  join cell.shipments as shipment on shipment.id = waiting.shipment_id
) as ranked
where nth <= $4
order by source, nth, account_id
