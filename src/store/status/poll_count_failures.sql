-- Polls that go on and failed last time, by their source (its SCAC or prefix; empty: not known yet) and the code of the failure. $1 the most polls to
-- read
-- @notnull polls reason source
select p.source, split_part(p.failure, ':', 1) as reason, count(*)::float8 as polls
from (
  select source, failure from cell.polls where next_poll_at is not null limit $1::integer
) p
where p.failure is not null
group by 1, 2
