-- Nothing is returned when there is no such plan, or when it is made from that very request.
-- @null $3
update cell.load_plans
set name = $3, revision = revision + 1, request = $4, summary = $5, detail = $6, updated_at = $7
where account_id = $1 and id = $2 and request <> $4
  and exists (select from cell.accounts a where a.id = $1 and not a.closed)
returning revision, created_at as "createdAt"
