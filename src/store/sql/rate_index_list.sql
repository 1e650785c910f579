-- $1 behind this index, null: from the first · $2 how many
select
  index.id, index.name, index.currency, index.base_date::text as "baseDate", index.base_value::text as "baseValue",
  index.basket, index.weekday, index.hour_utc as "hourUtc", index.next_at as "nextAt", index.created_at as "createdAt"
from directory.rate_indices as index
where $1::text is null or index.id > $1
order by index.id
limit $2
