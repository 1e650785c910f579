-- Ends the rates in whose place others are loaded. $1 the rates · $2 the time
update cell.lane_rates
set ended_at = $2, ended_by = 'replaced'
where id = any ($1::uuid[])
