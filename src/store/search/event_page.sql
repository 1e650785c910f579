-- A page of the cell's events, newest first. Type and product have no index, so a bounded number is read, and the last one
-- that is read is there whether it `matches` or not.
--
-- $1 before this id · $2 from this id on · $3 the type, $4 the product, null for any · $5 the most to read
-- $6 the most there may be
-- @notnull id accountId product type occurredAt bytes matches isLastRead
-- @null $3 $4
select id, account_id as "accountId", product, type, occurred_at as "occurredAt", octet_length(data) as bytes, matches,
  place = $5::integer as "isLastRead"
from (
  select newest.*, row_number() over (order by id desc) as place,
    ($3::text is null or type = $3::text) and ($4::text is null or product = $4::text) as matches
  from (
    select id, account_id, product, type, occurred_at, data
    from cell.events
    where id < $1::uuid and id >= $2::uuid
    order by id desc
    limit $5::integer
  ) newest
) e
where matches or place = $5::integer
order by id desc
limit $6::integer
