-- $1 the rate · $2 the time
update cell.lane_rates
set ended_at = $2, ended_by = 'removed'
where id = $1 and ended_at is null
returning lane_id as "laneId"
