-- What vessels last said of themselves by AIS, for all nodes that poll. There are some thousands of rows at
-- most, of vessels that carry tracked boxes or that the operator tells of, and they go after days.
create table vessels (
  -- The IMO number.
  imo text primary key check (imo ~ '^[0-9]{7}$'),
  -- Navigational status of ITU-R M.1371.
  status smallint check (status between 0 and 15),
  seen_at timestamptz,
  -- By the clock of whoever wrote the report, for those who read what is new.
  written_at timestamptz,
  -- When some node last asked the feed, whatever came of it.
  asked_at timestamptz,
  constraint a_report_is_whole check (num_nulls(status, seen_at, written_at) in (0, 3)),
  constraint said_or_asked check (num_nonnulls(written_at, asked_at) > 0)
);

create index vessels_written on vessels (written_at) where written_at is not null;
