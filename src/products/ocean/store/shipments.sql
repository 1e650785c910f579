-- part: due_for_reevaluation
-- Of the `waiting` shipments. Locks rows in the order in which polls are written.
and (changes_at is null or changes_at > @at)
  order by id
  for update
)
update cell.shipments as shipment
set changes_at = @at
from waiting
where shipment.id = waiting.id

-- name: shipment_wake_by_call :exec
-- Makes the shipments that wait for any of these sailings due for re-evaluation.
--
-- @keys what the sailings are found by
with waiting as (
  select id
  from cell.shipments
  where awaited_sailings && @keys::text[]
    @@due_for_reevaluation;

-- name: shipment_wake_by_tariff :exec
-- Makes the live shipments of carriers whose tariffs have changed due for re-evaluation.
with waiting as (
  select id
  from cell.shipments
  where carrier = any (@carriers::text[])
    and status not in ('pending', 'delivered', 'returned_empty', 'cancelled')
    @@due_for_reevaluation;

-- name: shipment_wake_by_vessel :exec
-- Makes the shipments aboard these vessels due for re-evaluation if their status does not fit the vessel's.
--
-- @vessels IMO numbers · @statuses statuses that a shipment aboard of one vessel has before
with waiting as (
  select id
  from cell.shipments
  where vessels && @vessels::text[]
    -- The status of several boxes is that of one of them.
    and (status = any (@statuses::text[]) or cardinality(vessels) > 1)
    @@due_for_reevaluation;
