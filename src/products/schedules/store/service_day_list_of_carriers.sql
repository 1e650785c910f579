-- How carriers came out on a day, all their services together.
--
-- $1 the day · $2 carrier, null: any · $3 how many
-- @notnull onTime measured
-- @null $2
select carrier, sum(on_time)::integer as "onTime", sum(measured)::integer as measured
from cell.service_reliability
where day = $1::date and ($2::text is null or carrier = $2)
group by carrier
order by carrier
limit $3
