-- No row: there is no such rate, or it is no longer in force. $1 the rate
select lane_id as "laneId" from cell.lane_rates where id = $1 and ended_at is null
