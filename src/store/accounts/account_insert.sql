insert into directory.accounts (id, name, entitlements, demurrage_alerting, cell, created_at)
values ($1::uuid, $2::text, $3::text[], $4::boolean, $5::smallint, $6::timestamptz)
