-- The calls that time alone has changed. The index on due_at holds only those that wait for it, so that those
-- which are due are found without the others, however many they are.
--
-- $1 the time · $2 how many
select id, record, due_at as "dueAt"
from directory.port_calls
where due_at <= $1
order by due_at
limit $2
for update skip locked
