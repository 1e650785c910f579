-- name: directory_change_insert :exec
-- Numbers a change. The lock on the counter is held until the commit, so that numbers become visible in their order.
with numbered as (
  update directory.last_change set number = number + 1 returning number
)
insert into directory.changes (number, kind, subject, changed_at)
select number, @kind::text, @subject::text, @at::timestamptz from numbered;

-- name: directory_change_list :many
-- The number of the last change, beside those behind @behind, which are @changesReadMax at most: without any, one row of nulls.
-- @notnull last
-- @together number kind subject
select last.number::float8 as last, change.number::float8 as number, change.kind, change.subject
from directory.last_change as last
left join directory.changes as change on change.number > @behind::bigint and change.number <= last.number
order by change.number
limit @changesReadMax::integer;

-- name: directory_change_prune :one
-- @notnull count
with pruned as (
  delete from directory.changes
  where number in (
    select number from directory.changes where changed_at < @before::timestamptz order by number limit @limit::integer
  )
  returning number
)
select count(*)::integer as count from pruned;
