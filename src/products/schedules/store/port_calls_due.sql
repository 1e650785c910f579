-- The calls that time alone has changed. The index on next_look_at holds only those that wait for it, so that those
-- which are due are found without the others, however many they are.
--
-- $1 the time · $2 how many
select id, record, next_look_at as "dueAt"
from directory.port_calls
where next_look_at <= $1
order by next_look_at
limit $2
for update skip locked
