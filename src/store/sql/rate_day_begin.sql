-- Makes the caller the one writer of rates until its transaction ends, and the day today ($1, a date) unless the
-- lanes have come further already. Returns the day.
update directory.rate_day set day = greatest(day, $1::date) returning day::text as day
