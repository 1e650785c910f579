-- Whose link it is, which is followed at $3 and opens a session that ends at $4 at the latest. A revoked link is nobody's;
-- one without a row was minted by an older version.
--
-- $1 the link · $2 its account, as it says itself
with followed as (
  update directory.portal_links
  set used_at = $3::timestamptz, sessions_until = greatest(sessions_until, $4::timestamptz)
  where id = $1::uuid and revoked_at is null
  returning id
)
select id, name, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where id = $2::uuid
  and (exists (select from followed) or not exists (select from directory.portal_links where id = $1::uuid))
