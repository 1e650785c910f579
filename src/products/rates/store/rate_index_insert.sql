-- No row: there is one of that id.
-- @null $7 $9 $11
insert into cell.rate_indices
  (id, name, currency, base_date, base_value, basket, weekday, hour_utc, next_at, created_at, exchange_rates)
values ($1, $2, $3, $4::date, $5::text::bigint, $6, $7, $8, $9, $10, $11)
on conflict (id) do nothing
returning id
