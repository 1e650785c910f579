-- Ends the rates in whose place others are loaded: of the same lane and first day, and not the same. $7 the time
with replaced as (
  select before.id
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
    as loaded (lane_id, valid_from, valid_to, base, total, surcharges)
  -- The limit keeps the lines outermost, so that each looks its one rate up.
  cross join lateral (
    select rate.id
    from directory.lane_rates as rate
    where rate.lane_id = loaded.lane_id
      and rate.valid_from = loaded.valid_from::date
      and rate.ended_at is null
      and (rate.valid_to, rate.base, rate.total, rate.surcharges)
        is distinct from (loaded.valid_to::date, loaded.base::bigint, loaded.total::bigint, loaded.surcharges)
    limit 1
  ) as before
)
update directory.lane_rates
set ended_at = $7, ended_by = 'replaced'
where id = any (array (select id from replaced))
returning id
