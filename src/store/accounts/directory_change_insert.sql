-- Numbers a change. The lock on the counter is held until the commit, so that numbers become visible in their order.
with numbered as (
  update directory.last_change set number = number + 1 returning number
)
insert into directory.changes (number, kind, subject, changed_at)
select number, $1::text, $2::text, $3::timestamptz from numbered
