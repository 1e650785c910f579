-- name: report_list :many
-- The oldest reports of the cell, with what they speak of, for the transaction that raises them. Skips what another node
-- holds.
--
-- @notnull at kind subject accountId endpointId failureCount
with held as (
  select *
  from cell.reports
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

-- name: report_next :one
-- When the oldest report was written; null: there is none.
select min(at) as at from cell.reports;

-- name: report_receiver_list :many
-- Those of the accounts that have an active endpoint of the product.
-- @notnull accountId
select wanted.id as "accountId"
from unnest(@accountIds::uuid[]) as wanted (id)
where exists (
  select from cell.endpoints p where p.account_id = wanted.id and p.product = @product and p.active
);

-- name: report_remove :exec
-- What has been reported.
delete from cell.reports r
using @reports (at timestamptz, kind text, subject uuid) as done
where r.at = done.at and r.kind = done.kind and r.subject = done.subject;
