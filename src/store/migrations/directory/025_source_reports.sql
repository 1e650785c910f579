-- Since when nothing but failures has come of a source, and, once it counts as down, since when it is; null: neither.
alter table source_answers add column failing_since timestamptz, add column down_since timestamptz;

-- What has happened to a source, until events say it (products/operations/).
create table source_reports (
  at timestamptz not null,
  kind text not null check (kind in ('source_down', 'source_recovered')),
  source text not null check (length(source) between 1 and 300),
  down_since timestamptz not null,
  -- The code of its last failure.
  failure text,
  primary key (at, kind, source)
);
