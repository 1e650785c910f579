-- Held by the session that removes the account.
-- @notnull free
select pg_try_advisory_lock(hashtext('boathook account moves'), hashtext($1::text)) as free
