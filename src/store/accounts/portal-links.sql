-- name: portal_link_account :maybe
-- Whose the sessions of a link are. Those of a revoked link are nobody's; one without a row was minted by an older version.
--
-- @accountId its account, as it says itself
select id, name, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where id = @accountId::uuid
  and not exists (select from directory.portal_links where id = @linkId::uuid and revoked_at is not null);

-- name: portal_link_follow :maybe
-- Whose link it is, which is followed at @at and opens a session that ends at @sessionsUntil at the latest. A revoked link is nobody's;
-- one without a row was minted by an older version.
--
-- @accountId its account, as it says itself
with followed as (
  update directory.portal_links
  set used_at = @at::timestamptz, sessions_until = greatest(sessions_until, @sessionsUntil::timestamptz)
  where id = @linkId::uuid and revoked_at is null
  returning id
)
select id, name, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where id = @accountId::uuid
  and (exists (select from followed) or not exists (select from directory.portal_links where id = @linkId::uuid));

-- name: portal_link_insert :maybe
-- Nothing is returned when there is no such account.
insert into directory.portal_links (id, account_id, product, created_at, ends_at)
select @id::uuid, id, @product::text, @createdAt::timestamptz, @endsAt::timestamptz
from directory.accounts
where id = @accountId::uuid
returning id, account_id as "accountId", product, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt",
  sessions_until as "sessionsUntil", revoked_at as "revokedAt";

-- name: portal_link_list :many
-- An account's links, newest first, from behind @afterId on; null: from the newest on.
-- @null @afterId
select id, account_id as "accountId", product, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt",
  sessions_until as "sessionsUntil", revoked_at as "revokedAt"
from directory.portal_links
where account_id = @accountId::uuid and (@afterId::uuid is null or id < @afterId::uuid)
order by id desc
limit @limit::integer;

-- name: portal_link_prune :one
-- @notnull count
with pruned as (
  delete from directory.portal_links
  where id in (
    select id from directory.portal_links where ends_at < @before::timestamptz order by ends_at limit @limit::integer
  )
  returning id
)
select count(*)::integer as count from pruned;

-- name: portal_link_revoke :maybe
update directory.portal_links
set revoked_at = coalesce(revoked_at, @at::timestamptz)
where id = @linkId::uuid and account_id = @accountId::uuid
returning id, account_id as "accountId", product, created_at as "createdAt", ends_at as "endsAt", used_at as "usedAt",
  sessions_until as "sessionsUntil", revoked_at as "revokedAt";
