-- @notnull isComplete
select number, joined_at as "joinedAt", misses = misses_indexed as "isComplete"
from directory.cells
where kind = 'cell'
order by number
