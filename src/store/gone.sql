-- Whether a statement found its schema gone, or between one name and another: now all that it names is there.
-- @notnull gone
select to_regnamespace($1::text) is null or not exists (
  select from unnest($2::text[]) as used (name) where to_regclass(used.name) is null and to_regproc(used.name) is null
) as gone
