select id, name, revision, request, summary, detail, created_at as "createdAt", updated_at as "updatedAt"
from cell.load_plans
where account_id = $1 and id = $2
