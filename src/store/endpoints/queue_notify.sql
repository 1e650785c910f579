-- Tells every node that endpoints have something due in the queue.
select pg_notify('boathook_changes', concat_ws(' ', 'cell.queue', array_to_string($1::uuid[], ' ')))
