-- $1 the entry · $2 the last account that was told, null: none was · $3 how many were · $4 the time at which all
-- have been, null: there may be more
update cell.announcements
set told_up_to = coalesce($2::uuid, told_up_to), told = told + $3::integer, finished_at = $4::timestamptz
where entry_id = $1
