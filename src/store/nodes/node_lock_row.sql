-- One node at most replaces another.
select id, oldest_held as "oldestHeld" from cell.nodes where id = $1::integer for update skip locked
