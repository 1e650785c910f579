-- What operators import of shipments: statements of a source without an API. They belong to no account, and lie in the
-- cell that their reference falls to.
create table imported_milestones (
  -- The container, bill of lading or booking that it concerns, as normalised; one row for each of them.
  reference text not null check (length(reference) between 1 and 100),
  -- SHA-256 of what is stated, apart from when: what comes twice is kept once.
  digest bytea not null check (length(digest) = 32),
  -- When the source said so last, and when it came last.
  stated_at timestamptz not null,
  received_at timestamptz not null,
  -- The source has taken it back.
  withdrawn boolean not null,
  -- JSON.
  statement text not null,
  primary key (reference, digest)
);

create index imported_milestones_by_age on imported_milestones (received_at);

-- A shipment may be known by imports alone, before any carrier has answered.
alter table shipments drop constraint an_answer_names_its_carrier;
