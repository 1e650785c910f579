-- A page of the cell's endpoints, newest first. $1 behind this one, null: from the newest on · $2 the account, $3 the
-- product, $4 the state (active, failing, off), null for any · $5 the most there may be
-- @null $1 $2 $3 $4
-- @notnull missedEvents
select id, account_id as "accountId", product, url, event_types as "eventTypes", description, active,
  failure_count as "failureCount", last_delivery_at as "lastDeliveryAt", created_at as "createdAt",
  inactive_since as "disabledAt", disabled_reason as "disabledReason", missed_events::float8 as "missedEvents"
from cell.endpoints
where id < coalesce($1::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
  and ($2::uuid is null or account_id = $2::uuid)
  and ($3::text is null or product = $3::text)
  and case $4::text
    when 'off' then not active
    when 'failing' then active and failure_count > 0
    when 'active' then active and failure_count = 0
    else true
  end
order by id desc
limit $5::integer
