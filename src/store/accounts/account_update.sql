-- A parameter that is null leaves its column as it is.
-- @null $2 $3 $4
update directory.accounts
set name = coalesce($2::text, name),
    entitlements = coalesce($3::text[], entitlements),
    demurrage_alerting = coalesce($4::boolean, demurrage_alerting)
where id = $1::uuid
returning id, name, entitlements, demurrage_alerting as "demurrageAlerting", cell, created_at as "createdAt"
