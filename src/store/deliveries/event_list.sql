-- What was raised for an account on a product, newest first. At most $6 are looked through, and the last of those is
-- always returned: the next page begins behind it, whether it is wanted or not. Behind $8 bytes, data is null. A ping
-- is nothing that was raised.
--
-- $1 the account · $2 the product · $3 before this id · $4 from this id on · $5 the type, null: any
-- $6 the most to look through · $7 the most to return · $8 bytes of data
-- @notnull id type occurredAt isWanted isLast
-- @null $5
select id, type, occurred_at as "occurredAt", "isWanted", nth = $6::integer as "isLast",
  case when coalesce(sum(octet_length(data)) over (
    order by id desc rows between unbounded preceding and 1 preceding
  ), 0) < $8::integer then data end as data
from (
  select newest.*, type <> 'ping' and ($5::text is null or type = $5::text) as "isWanted"
  from (
    select id, type, occurred_at, data, row_number() over (order by id desc) as nth
    from (
      select id, type, occurred_at, data
      from cell.events
      where account_id = $1::uuid and product = $2::text and id < $3::uuid and id >= $4::uuid
      order by id desc
      limit $6::integer
    ) scanned
  ) newest
) e
where "isWanted" or nth = $6::integer
order by id desc
limit $7::integer
