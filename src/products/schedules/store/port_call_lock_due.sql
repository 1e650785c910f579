-- The calls that time alone has changed. The index on due_at holds only calls with a due time, so that the
-- search for due calls reads no others.
--
-- $1 the time · $2 how many
select id, record, due_at as "dueAt"
from cell.port_calls
where due_at <= $1
order by due_at
limit $2
for update skip locked
