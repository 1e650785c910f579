-- Claims the parts that are incomplete, or were filled before $4, until $2, with the misses that are to be indexed: what
-- was missed since $3 may not be stored yet.
update directory.cells
set indexing_until = $2::timestamptz
where (misses <> misses_indexed or filled_at < $4::timestamptz)
  and missed_at <= $3::timestamptz
  and joined_at <= $1::timestamptz
  and indexing_until <= $1::timestamptz
returning number, misses
