-- @notnull number
select number::float8 as number from cell.changes
