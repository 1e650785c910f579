-- How far the limits of sources are leased, and when another node than the last one asked for turns. $1 the sources
select source, window_ms as "windowMs", told_at as "toldAt", leased_until as "leasedUntil", contended_at as "contendedAt"
from directory.upstream_limits
where source = any ($1::text[])
