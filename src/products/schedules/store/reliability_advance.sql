-- $1 the day up to which all is worked out
insert into cell.schedule_days as known (reliability_until)
values ($1::date)
on conflict (only_row) do update set reliability_until = greatest(known.reliability_until, excluded.reliability_until)
