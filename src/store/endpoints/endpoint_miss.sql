-- Events that inactive endpoints would have received. $1 the endpoints, in the order of their ids · $2 how many
update cell.endpoints p
set missed_events = p.missed_events + t.missed
from unnest($1::uuid[], $2::integer[]) as t (id, missed)
where p.id = t.id and not p.active
