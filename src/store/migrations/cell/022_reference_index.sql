-- The cells that track a reference, of the references that fall to this cell. An entry may outlive its shipments, and is
-- verified after a while.
create table reference_index (
  product text not null,
  -- As normalised; of a vessel, "IMO" and its number.
  reference text not null,
  tracked_in smallint not null,
  verified_at timestamptz not null,
  primary key (product, reference, tracked_in)
) with (autovacuum_vacuum_scale_factor = 0.05);

create index reference_index_by_age on reference_index (verified_at);
