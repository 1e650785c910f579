-- name: mail_claim :maybe
-- Marks an account as sent an e-mail: the first behind @afterId with an endpoint that failures have disabled after @since,
-- and after its last e-mail, which was sent by @before. Returns when that was.
--
-- @notnull id
with due as (
  select a.id, a.mailed_at
  from cell.endpoints p
  join cell.accounts a on a.id = p.account_id
  where not p.active and p.inactive_since > @since::timestamptz and p.disabled_reason = 'failures'
    and a.id > @afterId::uuid and not a.closed
    and (a.mailed_at is null or a.mailed_at <= @before::timestamptz and p.inactive_since > a.mailed_at)
  order by a.id
  limit 1
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
select product, url, inactive_since as "inactiveSince", missed_events::float8 as "missedEvents"
from cell.endpoints
where account_id = @accountId::uuid and not active and disabled_reason = 'failures'
order by inactive_since desc, id
limit @limit::integer;

-- name: mail_unclaim :exec
-- The e-mail was not sent. @mailedAt when the one before it was
-- @null @mailedAt
update cell.accounts set mailed_at = @mailedAt::timestamptz where id = @id::uuid;
