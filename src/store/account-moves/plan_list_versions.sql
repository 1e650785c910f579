-- Plans behind $2; the revision tells whether one has changed.
-- @notnull version
select id, revision::text as version
from cell.load_plans
where account_id = $1::uuid and id > $2::uuid
order by id
limit $3::integer
