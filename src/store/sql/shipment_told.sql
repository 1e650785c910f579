-- Has shipments looked at of which there is news that nobody need be asked for: as by time alone, and those
-- that no carrier has answered for before all others.
--
-- $1 product · $2 references · $3 the time · $4 the moment that sorts before all that is merely due
with answered as (
  select id from cell.shipments
  where reference = any ($2::text[]) and record is not null and product = $1
  -- Rows are locked in one order by all who write several.
  order by id
  for update
),
changing as (
  update cell.shipments as shipment
  -- Another moment each time, so that a look under way sees that there is more.
  set changes_at = case
    when shipment.changes_at >= $3 then shipment.changes_at + interval '1 millisecond'
    else $3
  end
  from answered
  where shipment.id = answered.id
  returning shipment.id
),
unanswered as (
  select shipment_id
  from cell.polls
  where shipment_id in (
    select id from cell.shipments
    where reference = any ($2::text[]) and record is null and product = $1
  )
  order by shipment_id
  for update
),
due as (
  update cell.polls as poll
  set next_poll_at = case when poll.next_poll_at = $4 then $4 + interval '1 millisecond' else $4 end
  from unanswered
  where poll.shipment_id = unanswered.shipment_id
  returning poll.shipment_id
)
select id from changing
union all
select shipment_id from due
