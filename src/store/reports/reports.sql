-- name: report_list :many
-- The oldest reports of the cell, with what they speak of, for the transaction that raises them. Skips what another node
-- holds.
--
-- @behind reports after this one
-- @notnull at kind subject accountId endpointId failureCount
with held as (
  select *
  from cell.reports
  where (at, kind, subject) > (@behind.at::timestamptz, @behind.kind::text, @behind.subject::uuid)
  order by at, kind, subject
  limit @limit::integer
  for update skip locked
)
select r.at, r.kind, r.subject, r.account_id as "accountId", r.endpoint_id as "endpointId",
  r.failure_count as "failureCount", r.failing_since as "failingSince", r.error, p.product, p.url,
  d.attempt_count as "attemptCount", d.last_status_code as "lastStatusCode", d.created_at as "createdAt",
  e.id as "eventId", e.type as "eventType"
from held r
left join cell.endpoints p on p.id = r.endpoint_id
left join cell.deliveries d on d.id = r.subject
left join cell.events e on e.id = d.event_id
order by r.at, r.kind, r.subject;

-- name: report_is_there :one
-- @notnull found
select exists (select from cell.reports) as found;

-- name: report_receiver_list :many
-- Those of the accounts that have an active endpoint of the product, and are not being removed.
-- @notnull accountId
select a.id as "accountId"
from cell.accounts a
where a.id = any (@accountIds::uuid[]) and not a.closed and exists (
  select from cell.endpoints p where p.account_id = a.id and p.product = @product and p.active
);

-- name: report_remove :exec
-- What has been reported.
delete from cell.reports r
using @reports (at timestamptz, kind text, subject uuid) as done
where r.at = done.at and r.kind = done.kind and r.subject = done.subject;
