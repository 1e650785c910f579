-- Sources of outside APIs that want no request before a time. $1 pauses that end after it, in ms
select source, paused_until as "pausedUntilMs"
from directory.upstream_pauses
where paused_until > $1::float8
order by source
