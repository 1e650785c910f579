-- name: mail_claim :many
-- Marks accounts as sent an e-mail: those with an endpoint that failures have disabled after @since, and after the last
-- one, which was sent by @before. Returns when that was.
--
-- @notnull id
with disabled as (
  select distinct account_id as id
  from cell.endpoints
  where not active and inactive_since > @since::timestamptz and disabled_reason = 'failures'
),
due as (
  select a.id, a.mailed_at
  from disabled
  join cell.accounts a on a.id = disabled.id
  where not a.closed and (a.mailed_at is null or a.mailed_at <= @before::timestamptz)
    and exists (
      select from cell.endpoints p
      where p.account_id = a.id and not p.active and p.disabled_reason = 'failures'
        and p.inactive_since > greatest(a.mailed_at, @since::timestamptz)
    )
  order by a.id
  limit @limit::integer
  for update of a skip locked
)
update cell.accounts a
set mailed_at = @at::timestamptz
from due
where a.id = due.id
returning a.id, due.mailed_at as "mailedAt";

-- name: mail_list_disabled :many
-- The account's endpoints that failures have disabled, the latest first.
-- @notnull inactiveSince missedEvents
select id, product, url, inactive_since as "inactiveSince", failure_count as "failureCount",
  missed_events::float8 as "missedEvents"
from cell.endpoints
where account_id = @accountId::uuid and not active and disabled_reason = 'failures'
order by inactive_since desc, id
limit @limit::integer;

-- name: mail_unclaim :exec
-- The e-mail could not be sent. @mailedAt when the one before it was
-- @null @mailedAt
update cell.accounts set mailed_at = @mailedAt::timestamptz where id = @id::uuid;
