-- How many shipments are due, now or later, of sources that nobody polls. Jumps along the index from source to
-- source, however many shipments there are.
--
-- $1 the sources that are polled · $2 shipments of one source that are counted at most
-- @notnull source count
with recursive sources as (
  (select source from cell.polls where next_poll_at is not null order by source limit 1)
  union all
  select (
    select polls.source
    from cell.polls
    where next_poll_at is not null and polls.source > sources.source
    order by polls.source
    limit 1
  )
  from sources
  where sources.source is not null
)
select source, (
  select count(*)::integer
  from (
    select from cell.polls where polls.source = sources.source and next_poll_at is not null limit $2
  ) as counted
) as count
from sources
where source <> '' and source <> all ($1::text[])
order by source
