-- Tells every node that endpoints have something due in the queue. $1 the endpoints · $2 how the notice begins
select pg_notify('boathook_changes', concat_ws(' ', $2::text, array_to_string($1::uuid[], ' ')))
