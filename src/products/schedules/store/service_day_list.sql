-- How services came out on a day, by carrier and service.
--
-- $1 the day · $2 carrier, null: any · $3 service, null: any · $4 and $5 behind this carrier and service · $6 how many
-- @null $2 $3
select carrier, service, on_time as "onTime", measured, reference
from cell.service_reliability
where day = $1::date and (carrier, service) > ($4, $5)
  and ($2::text is null or carrier = $2)
  and ($3::text is null or service = $3)
order by carrier, service
limit $6
