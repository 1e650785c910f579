-- $1 pauses that end after it
select source, told_at as "toldAt", paused_until as "pausedUntil"
from directory.upstream_pauses
where paused_until > $1::float8
