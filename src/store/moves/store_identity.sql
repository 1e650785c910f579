-- Two copies of one store have it in common.
-- @notnull identity
select min(created_at)::text as identity from directory.cells
