-- Records the rate in force on lanes, when time changes it, and whether its event was raised.
update cell.rate_lanes as lane
set
  valid_rate_id = looked.rate_id,
  has_had_rate = lane.has_had_rate or looked.rate_id is not null,
  changes_on = looked.changes_on::date,
  changes_raised = lane.changes_raised + looked.told::integer
from unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) as looked (id, rate_id, changes_on, told)
where lane.id = looked.id
