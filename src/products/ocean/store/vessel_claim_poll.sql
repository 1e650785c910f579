-- Claims those of these vessels that this node polls: none was polled or reported lately. Those polled longest ago
-- come first.
--
-- $1 IMO numbers · $2 the time · $3 since when is lately · $4 how many
-- @notnull imo
with due as (
  select wanted.imo
  from unnest($1::text[]) as wanted (imo)
  left join directory.vessels as vessel on vessel.imo = wanted.imo
  where (vessel.polled_at is null or vessel.polled_at <= $3)
    and (vessel.written_at is null or vessel.written_at <= $3)
  order by vessel.polled_at nulls first, wanted.imo
  limit $4
)
insert into directory.vessels as vessel (imo, polled_at)
select imo, $2 from due order by imo
on conflict (imo) do update
set polled_at = excluded.polled_at
-- Another node may have claimed it since.
where vessel.polled_at is null or vessel.polled_at <= $3
returning imo
