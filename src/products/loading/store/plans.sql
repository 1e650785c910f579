-- name: plan_delete :many
delete from cell.load_plans
where account_id = @accountId and id = @id
  and exists (select from cell.accounts a where a.id = @accountId and not a.closed)
returning id;

-- name: plan_find :many
-- Plans of an id, or whose name has the text in it, newest first: of an account, or all of the cell's, of which it then
-- reads all names.
-- @notnull id accountId revision createdAt
-- @null @accountId @id @text
select id, account_id as "accountId", name, revision, created_at as "createdAt"
from cell.load_plans
where (@accountId::uuid is null or account_id = @accountId::uuid)
  and (id = @id::uuid or position(lower(@text::text) in lower(name)) > 0)
order by id desc
limit @limit::integer;

-- name: plan_get :maybe
select id, name, revision, request, summary, detail, created_at as "createdAt", updated_at as "updatedAt"
from cell.load_plans
where account_id = @accountId and id = @id;

-- name: plan_insert :many
-- Nothing is returned when the account has @plansMax plans already.
-- @null @name
insert into cell.load_plans
  (id, account_id, name, revision, request, summary, detail, created_at, updated_at)
select @id::uuid, @accountId::uuid, @name::text, 1, @request::text, @summary::text, @detail::text, @at::timestamptz, @at::timestamptz
where (select count(*) from cell.load_plans p where p.account_id = @accountId::uuid) < @plansMax::integer
  and exists (select from cell.accounts a where a.id = @accountId::uuid and not a.closed)
returning id;

-- name: plan_list :many
select id, name, revision, summary, created_at as "createdAt", updated_at as "updatedAt"
from cell.load_plans
where account_id = @accountId and id < @afterId
order by id desc
limit @limit;

-- name: plan_update :maybe
-- Nothing is returned when there is no such plan, or when it is made from that very request.
-- @null @name
update cell.load_plans
set name = @name, revision = revision + 1, request = @request, summary = @summary, detail = @detail, updated_at = @at
where account_id = @accountId and id = @id and request <> @request
  and exists (select from cell.accounts a where a.id = @accountId and not a.closed)
returning revision, created_at as "createdAt";
