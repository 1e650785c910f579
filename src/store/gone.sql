-- name: gone :one
-- Whether a statement found its schema gone, or between one name and another: now all that it names is there.
-- @notnull gone
select to_regnamespace(@schema::text) is null or not exists (
  select from unnest(@used::text[]) as used (name) where to_regclass(used.name) is null and to_regproc(used.name) is null
) as gone;
