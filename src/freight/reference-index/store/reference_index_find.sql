select distinct tracked_in as number
from cell.reference_index
where product = $1 and reference = any ($2::text[])
