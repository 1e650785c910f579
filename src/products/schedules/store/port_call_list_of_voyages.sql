-- $1 carriers · $2 voyages; each pair once
select call.record
from unnest($1::text[], $2::text[]) as wanted (carrier, voyage)
join directory.port_calls as call on call.carrier = wanted.carrier and call.voyage = wanted.voyage
