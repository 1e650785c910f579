-- Makes the caller the one writer of rates until its transaction ends, and the day today ($1, a date) unless the
-- lanes have come further already. Returns the day.
--
-- The first load finds empty tables and leaves them large, and plans kept from its first batch would scan them whole
-- for every line: in these transactions each batch is planned for the tables as they are.
-- @notnull day
update cell.rate_day
set day = greatest(day, $1::date)
returning day::text as day, set_config('plan_cache_mode', 'force_custom_plan', true)
