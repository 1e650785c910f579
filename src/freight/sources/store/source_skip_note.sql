-- Counts what of answers could not be read. A source that has too many reasons gets no more: they count as others.
--
-- $1 sources · $2 reasons · $3 how often · $4 examples · $5 the time · $6 how many reasons a source may have
with seen as (
  select *
  from unnest($1::text[], $2::text[], $3::integer[], $4::text[]) as seen (source, reason, count, example)
),
placed as (
  select seen.source, seen.count, seen.example,
    case
      when exists (select from directory.source_skips its where its.source = seen.source and its.reason = seen.reason)
        or (select count(*) from directory.source_skips its where its.source = seen.source) < $6::integer
      then seen.reason
      else 'other reasons'
    end as reason
  from seen
)
insert into directory.source_skips as known (source, reason, count, example, last_at)
select source, reason, sum(count), max(example), $5::timestamptz
from placed
group by source, reason
order by source, reason
on conflict (source, reason) do update
set count = known.count + excluded.count, example = excluded.example, last_at = greatest(known.last_at, excluded.last_at)
