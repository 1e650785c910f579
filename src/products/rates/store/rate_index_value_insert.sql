-- No row: there is a value of that date, and it stays.
-- @null $8
insert into cell.rate_index_values
  (index_id, dated, value, coverage, lanes_carried, lanes_missing, computed_at, exchange_rates)
values ($1, $2::date, $3::text::bigint, $4, $5, $6, $7, $8)
on conflict (index_id, dated) do nothing
returning index_id
