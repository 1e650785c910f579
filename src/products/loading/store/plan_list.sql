select id, name, revision, summary, created_at as "createdAt", updated_at as "updatedAt"
from cell.load_plans
where account_id = $1 and id < $2
order by id desc
limit $3
