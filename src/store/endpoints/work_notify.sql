-- Notifies every node that something in a cell may be due sooner than it knows. $1 the payload
select pg_notify('boathook_changes', $1::text)
