-- name: find_accounts :many
-- Accounts whose name or e-mail address has the text in it, newest first. Reads all accounts.
select id, name, email, created_at as "createdAt"
from directory.accounts
where position(lower(@text) in lower(name)) > 0 or position(lower(@text) in lower(email)) > 0
order by id desc
limit @limit::integer;

-- name: find_endpoints :many
-- Endpoints whose address or description has the text in it, newest first: of an account on a product, or all of the
-- cell's. Reads all of these.
-- @null @accountId @product
select id, account_id as "accountId", product, url, active, failure_count as "failureCount",
  inactive_since as "disabledAt", created_at as "createdAt"
from cell.endpoints
where (@accountId::uuid is null or account_id = @accountId::uuid) and (@product::text is null or product = @product::text)
  and (position(lower(@text) in lower(url)) > 0 or position(lower(@text) in lower(description)) > 0)
order by id desc
limit @limit::integer;

-- name: find_key :maybe
-- A key by its id.
select id, account_id as "accountId", prefix, label, created_at as "createdAt", revoked_at as "revokedAt"
from directory.api_keys
where id = @id::uuid;
