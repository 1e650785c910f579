-- Whose the sessions of a link are. Those of a revoked link are nobody's; one without a row was minted by an older version.
--
-- $1 the link · $2 its account, as it says itself
select id, name, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
from directory.accounts
where id = $2::uuid
  and not exists (select from directory.portal_links where id = $1::uuid and revoked_at is not null)
