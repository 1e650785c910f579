-- How far an entry has come, for whoever may take it further until the end of the transaction. No row: another
-- node is about it.
select told_up_to as "toldUpTo", told, finished_at is not null as finished
from cell.announcements
where entry_id = $1
for update skip locked
