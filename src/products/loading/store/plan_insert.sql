-- Nothing is returned when the account has $8 plans already.
-- @null $3
insert into cell.load_plans
  (id, account_id, name, revision, request, summary, detail, created_at, updated_at)
select $1::uuid, $2::uuid, $3::text, 1, $4::text, $5::text, $6::text, $7::timestamptz, $7::timestamptz
where (select count(*) from cell.load_plans p where p.account_id = $2::uuid) < $8::integer
  and exists (select from cell.accounts a where a.id = $2::uuid and not a.closed)
returning id
