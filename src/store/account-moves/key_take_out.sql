-- Deduplication keys since $2, in the order of the keys, behind $3 and $4.
-- @notnull row
select product, dedup_key as "dedupKey", to_json(k)::text as row
from cell.event_keys k
where account_id = $1::uuid and created_at >= $2::timestamptz and (product, dedup_key) > ($3::text, $4::text)
order by product, dedup_key
limit $5::integer
