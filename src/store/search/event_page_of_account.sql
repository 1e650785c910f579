-- As `event_page.sql`, of an account, by the index. $7 the account · $4 the products that there are, or the one
-- @notnull id accountId product type occurredAt bytes matches isLastRead
-- @null $3
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", octet_length(data) as bytes, matches,
  place = $5::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by id desc) as place,
    $3::text is null or type = $3::text as matches
  from (
    select found.*
    from unnest($4::text[]) as wanted (product)
    cross join lateral (
      select id, account_id, product, type, occurred_at, data
      from cell.events e
      where e.account_id = $7::uuid and e.product = wanted.product and e.id < $1::uuid and e.id >= $2::uuid
      order by e.id desc
      limit $5::integer
    ) found
    order by found.id desc
    limit $5::integer
  ) newest
) e
where matches or place = $5::integer
order by id desc
limit $6::integer
