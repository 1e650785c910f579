-- The reference index is spread over the cells (docs/decisions/store-reference-index.md).
alter table cells
  -- From when references fall to the cell; null: no node has started since it was listed.
  add column joined_at timestamptz,
  -- Each entry that could not be written to the cell counts. Its part is complete while all of them are indexed.
  add column misses bigint not null default 1,
  add column missed_at timestamptz not null default '-infinity',
  add column misses_indexed bigint not null default 0,
  -- When all cells were last read through for it, and until when a node does so.
  add column filled_at timestamptz not null default '-infinity',
  add column indexing_until timestamptz not null default '-infinity';
