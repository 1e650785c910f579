-- What was raised for an account on a product, in the order of its ids. The page ends with the event that fills its
-- bytes.
--
-- $1 the account · $2 the product · $3 after this id · $4 before this id · $5 the most to return · $6 bytes of data
-- @notnull id type occurredAt data
select id, type, occurred_at as "occurredAt", data
from (
  select next.*, coalesce(
    sum(octet_length(data)) over (order by id rows between unbounded preceding and 1 preceding), 0
  ) as bytes_before
  from (
    select id, type, occurred_at, data
    from cell.events
    where account_id = $1::uuid and product = $2::text and id > $3::uuid and id < $4::uuid
    order by id
    limit $5::integer
  ) next
) e
where bytes_before < $6::integer
order by id
