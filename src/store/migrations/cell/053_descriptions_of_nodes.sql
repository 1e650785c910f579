-- What a node tells of itself: fingerprints of its master keys, four bytes each (engine/secret.ts), its build, machine
-- and roles. Empty for nodes of older builds.
alter table nodes
  add column master_keys bytea not null default '',
  add column build text not null default '',
  add column host text not null default '',
  add column roles text not null default '';
