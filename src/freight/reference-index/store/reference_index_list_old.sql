-- The entries verified longest ago, before $1.
select product, reference, tracked_in as number
from cell.reference_index
where verified_at < $1
order by verified_at
limit $2
