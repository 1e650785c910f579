select day::text as day from directory.rate_day
